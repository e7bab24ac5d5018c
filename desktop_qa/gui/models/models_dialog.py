"""The dialog of the language models: how each is reached, and whether it works."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QLineEdit,
    QListWidget,
    QMessageBox,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QWidget,
)

from desktop_qa.core.errors import Cancelled, DesktopQaError
from desktop_qa.gui.session import LibrarySession
from desktop_qa.gui.widgets.boxes import in_column, in_row, put
from desktop_qa.gui.widgets.labels import plain_label, told
from desktop_qa.llm.errors import ModelError
from desktop_qa.llm.model_files import ModelFile, read_model_file
from desktop_qa.llm.profile import Dialect, Profile

if TYPE_CHECKING:
    from desktop_qa.gui.models.models_feature import ModelChoice
    from desktop_qa.llm.local_servers import FoundServer
    from desktop_qa.llm.probe import Verdict

_NEW = Profile("", Dialect.CHAT_COMPLETIONS, "", "")
_SIGNS = {True: "✓", False: "✗", None: "–"}
_TRIALS = ("reached", "model", "speed", "tools", "schema", "context")
_NO_SERVER = (
    "No model server runs on this machine, and no program that keeps model files was found. Start a"
    " server, such as Ollama, LM Studio or llama.cpp, and look again; choose a model file, which"
    " needs no server; or type the address of a server elsewhere."
)
_FILE_ENDING = ".gguf"


class ModelsDialog(QDialog):
    """Profiles on the left, the chosen one on the right; each is kept when it is left.

    Servers of this machine are looked for while the dialog is open, and at no other time.
    """

    def __init__(self, session: LibrarySession, choice: ModelChoice, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("models_dialog")
        self.setWindowTitle("Language Models")
        self.resize(760, 520)
        self._session = session
        self._choice = choice
        self._requests: dict[str, int] = {}
        self._profile = _NEW
        self.list = told(QListWidget(self), spoken="Profiles of language models")
        self.list.setMaximumWidth(220)
        self.servers = told(QComboBox(self), spoken="Model servers and model files on this machine")
        self.look_button = QPushButton("Look Again", self)
        self.file_button = QPushButton("Choose a File …", self)
        self.name = QLineEdit(self)
        self.address = QLineEdit(self)
        self.address.setPlaceholderText("http://127.0.0.1:11434, https://host/v1 or MODEL.gguf")
        self.model = QComboBox(self, editable=True)
        self.model.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.context = self._number(2048, 1_048_576, 1024, " tokens")
        self.answer = self._number(128, 65_536, 128, " tokens")
        self.key = QLineEdit(self, echoMode=QLineEdit.EchoMode.Password)
        self.environment = QCheckBox("Use proxy and certificates of the environment", self)
        self.redirects = QCheckBox("Follow redirects to other addresses", self)
        self.words = told(plain_label("", self, "", can_select=True), spoken="What was found")
        self.words.setMinimumHeight(self.words.fontMetrics().lineSpacing() * 7)
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.test_button = QPushButton("Test", self)
        self.save_button = QPushButton("Save", self)
        self.add_button = QPushButton("Add", self)
        self.remove_button = QPushButton("Remove", self)
        self._build()
        self._connect()
        self._show_profiles()
        self.look()

    def _number(self, least: int, most: int, step: int, suffix: str) -> QSpinBox:
        box = QSpinBox(self, singleStep=step, suffix=suffix)
        box.setRange(least, most)
        box.setMinimumHeight(self.name.sizeHint().height())
        box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        return box

    def _build(self) -> None:
        form = QFormLayout(fieldGrowthPolicy=QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        here = put(in_row(), (self.servers, 1), self.look_button, self.file_button)
        form.addRow("On this machine", here)
        form.addRow("&Name", self.name)
        form.addRow("&Address", self.address)
        form.addRow("M&odel", self.model)
        form.addRow("&Context in use", self.context)
        form.addRow("Longest an&swer", self.answer)
        form.addRow("&Key", self.key)
        form.addRow("", self.environment)
        form.addRow("", self.redirects)
        below = put(in_row(), self.test_button, None, self.save_button)
        right = put(in_column(), form, (self.words, 1), below)
        changes = put(in_row(), self.add_button, self.remove_button)
        left = put(in_column(), (self.list, 1), changes)
        panes = put(in_row(spacing=14), left, (right, 1))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.reject)
        put(in_column(self), (panes, 1), buttons)

    def _connect(self) -> None:
        self.list.currentRowChanged.connect(self._on_row_changed)
        self.servers.activated.connect(self._on_server_chosen)
        self.look_button.clicked.connect(self.look)
        self.file_button.clicked.connect(self.choose_file)
        self.address.editingFinished.connect(self._list_models)
        self.test_button.clicked.connect(self.test)
        self.save_button.clicked.connect(self.save)
        self.add_button.clicked.connect(self.add)
        self.remove_button.clicked.connect(self.remove)

    def done(self, result: int) -> None:
        """Stop what is under way: nothing is connected to once the dialog is closed."""
        for request in self._requests.values():
            self._session.cancel(request)
        super().done(result)

    # Profiles

    def _show_profiles(self, chosen: str = "") -> None:
        with QSignalBlocker(self.list):
            self.list.clear()
            for profile in self._choice.profiles:
                where = profile.host if profile.is_remote else "this machine"
                self.list.addItem(f"{profile.name}\n{where}")
        names = [profile.name for profile in self._choice.profiles]
        if names:
            self.list.setCurrentRow(names.index(chosen) if chosen in names else 0)
        else:
            self._fill(_NEW)
        if self._choice.error is not None:
            self.words.setText(str(self._choice.error))

    def _on_row_changed(self, row: int) -> None:
        if 0 <= row < len(self._choice.profiles):
            self._fill(self._choice.profiles[row])

    def _fill(self, profile: Profile) -> None:
        self._profile = profile
        self.remove_button.setEnabled(profile in self._choice.profiles)
        self.name.setText(profile.name)
        self.address.setText(profile.address)
        self.model.clear()
        self.model.setEditText(profile.model)
        self.context.setValue(profile.n_context)
        self.answer.setValue(profile.max_answer_tokens)
        self.key.clear()
        self.environment.setChecked(profile.trusts_environment)
        self.redirects.setChecked(profile.follows_redirects)
        self.words.clear()
        for of_server in (self.key, self.environment, self.redirects):
            of_server.setEnabled(profile.dialect is not Dialect.FILE)
        if profile.dialect is Dialect.FILE:
            self.key.setPlaceholderText("a file needs none")
            self._list_models()
        elif profile.address:
            self._run("key_state", profile, on_result=self._show_key_state)
            self._list_models()
        else:
            self.key.setPlaceholderText("where the server asks for one")

    def _typed(self) -> Profile:
        dialect = self._profile.dialect
        if self.address.text().strip().lower().endswith(_FILE_ENDING):
            dialect = Dialect.FILE
        elif dialect is Dialect.FILE:
            dialect = Dialect.CHAT_COMPLETIONS
        return replace(
            self._profile,
            dialect=dialect,
            name=self.name.text().strip() or self.model.currentText().strip(),
            address=self.address.text().strip(),
            model=self.model.currentText().strip(),
            n_context=self.context.value(),
            max_answer_tokens=self.answer.value(),
            trusts_environment=self.environment.isChecked(),
            follows_redirects=self.redirects.isChecked(),
        )

    def add(self) -> None:
        """Begin a profile; it is kept by Save."""
        self.list.setCurrentRow(-1)
        self._fill(_NEW)
        self.name.setFocus()

    def save(self) -> None:
        """Keep what is typed, and its key where the system keeps keys; it is asked from now on."""
        profile, before = self._typed(), self._profile
        try:
            profile.check()
            self._choice.store.save(profile)
            if before.name and before.name != profile.name:
                self._choice.store.remove(before.name)
        except ModelError as error:
            self.words.setText(str(error))
            return
        if self.key.text().strip():
            self._run("keep_key", profile, self.key.text(), on_result=self._show_key_state)
            self.key.clear()
        self._profile = profile
        self._choice.choose(profile.name)
        self._show_profiles(profile.name)
        self.words.setText(f"Saved. {profile.name} is asked from now on.")

    def remove(self) -> None:
        """Take the profile and its key out, when the user is sure."""
        profile = self._profile
        sure = QMessageBox.question(
            self, "Remove", f"Remove {profile.name} and the key of its server?"
        )
        if sure is not QMessageBox.StandardButton.Yes:
            return
        try:
            self._choice.store.remove(profile.name)
        except ModelError as error:
            self.words.setText(str(error))
            return
        if all(one.origin != profile.origin for one in self._choice.profiles if one != profile):
            self._run("keep_key", profile, "", on_result=lambda _state: None)
        self._choice.refresh()
        self._show_profiles()

    def _show_key_state(self, state: tuple[bool, bool]) -> None:
        is_known, is_lasting = state
        kept = "in the keyring of the system" if is_lasting else "until the program ends"
        words = f"there is one, kept {kept}" if is_known else f"will be kept {kept}"
        self.key.setPlaceholderText(words)

    # Servers

    def look(self) -> None:
        """Look for servers and model files on this machine."""
        self.servers.clear()
        self.servers.addItem("Looking …")
        self.servers.setEnabled(False)
        self._run("find_models", on_result=self._show_found)

    def _show_found(self, found: tuple[tuple[FoundServer, ...], tuple[ModelFile, ...]]) -> None:
        servers, files = found
        n_found = len(servers) + len(files)
        self.servers.clear()
        self.servers.setEnabled(bool(n_found))
        self.servers.addItem(f"{n_found} found" if n_found else "None found")
        for server in servers:
            self.servers.addItem(f"{server.name}, {len(server.models)} models", server)
        for file in files:
            self.servers.addItem(f"{file.name}, a file of {file.owner}", file)
        if not n_found and not self._choice.profiles:
            self.words.setText(_NO_SERVER)

    def choose_file(self) -> None:
        """Let the user name a model file."""
        path, _kind = QFileDialog.getOpenFileName(
            self, "Choose a Model File", "", f"Model files (*{_FILE_ENDING});;All files (*)"
        )
        if path:
            try:
                self._take_file(read_model_file(Path(path)))
            except ModelError as error:
                self.words.setText(str(error))

    def _take_file(self, file: ModelFile) -> None:
        """Begin a profile of a model file, and say whether it fits this machine."""
        n_context = min(_NEW.n_context, file.n_context or _NEW.n_context)
        profile = replace(_NEW, dialect=Dialect.FILE, address=str(file.path), model=file.name)
        self._fill(replace(profile, n_context=n_context))
        self.list.setCurrentRow(-1)
        self.name.setText(file.name)
        self.words.setText(f"{file.name} {file.fit(n_context)}. No text leaves this machine.")

    def _on_server_chosen(self, row: int) -> None:
        server: FoundServer | ModelFile | None = self.servers.itemData(row)
        if isinstance(server, ModelFile):
            self._take_file(server)
            return
        if server is None:
            return
        model = server.models[0] if server.models else ""
        self._fill(replace(_NEW, dialect=server.dialect, address=server.address, model=model))
        self.list.setCurrentRow(-1)
        self._show_models(server.models)
        self.name.setText(server.name)

    def _list_models(self) -> None:
        typed = self._typed()
        if typed.address:
            self._run("list_models", typed, on_result=partial(self._on_listed, typed))

    def _on_listed(self, asked: Profile, found: tuple[Profile, tuple[Any, ...]]) -> None:
        """Take up how the server at an address is spoken to, and what it has."""
        spoken, listed = found
        if self._typed().address != asked.address:
            return  # another is typed by now
        self._learn(asked, lambda one: replace(one, dialect=spoken.dialect, address=spoken.address))
        self.address.setText(spoken.address)
        self._show_models([one.name for one in listed])

    def _learn(self, asked: Profile, told: Callable[[Profile], Profile]) -> None:
        """Take up what was found out about a server; also of a profile that was saved before."""
        self._profile = told(self._profile)
        wanted = asked.name, asked.address, asked.model
        try:
            for saved in self._choice.profiles:
                is_it = (saved.name, saved.address, saved.model) == wanted
                if is_it and told(saved) != saved:
                    self._choice.store.save(told(saved))
                    self._choice.refresh()
        except ModelError as error:
            self.words.setText(str(error))

    def _show_models(self, names: Any) -> None:
        typed = self.model.currentText()
        self.model.clear()
        self.model.addItems(list(names))
        self.model.setEditText(typed or next(iter(names), ""))

    # Trying

    def test(self) -> None:
        """Try what is typed, or stop that; no text of a library is sent."""
        if "try_model" in self._requests:
            self._session.cancel(self._requests["try_model"])
            return
        self.words.setText("Trying: three short questions of the program's own …")
        self.test_button.setText("Stop")
        typed = self._typed()
        self._run("try_model", typed, on_result=partial(self._show_verdict, typed))

    def _show_verdict(self, tried: Profile, verdict: Verdict) -> None:
        findings = [getattr(verdict, name) for name in _TRIALS]
        self.words.setText("\n".join(f"{_SIGNS[f.is_good]} {f.sentence}" for f in findings))
        if self._typed() == tried:
            self._learn(tried, verdict.known_of)

    def _run(self, method: str, *arguments: object, on_result: Any) -> None:
        """Call the service; what comes after the dialog was closed or asked anew is dropped."""
        if method in self._requests:
            self._session.cancel(self._requests[method])

        def ended() -> bool:
            is_latest = self._requests.get(method) == request
            if is_latest:
                del self._requests[method]
                if method == "try_model":
                    self.test_button.setText("Test")
            return is_latest and self.isVisible()

        def came(value: Any) -> None:
            if ended():
                on_result(value)

        def failed(error: DesktopQaError) -> None:
            if ended():
                self.words.setText("Stopped." if isinstance(error, Cancelled) else str(error))

        request = self._session.start(method, *arguments, on_result=came, on_failure=failed)
        self._requests[method] = request
