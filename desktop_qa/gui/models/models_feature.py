"""Language models in the window: the choice, what leaves, and their answers as they come.

The offline answer is there first and waits for nothing. What a model says belongs to one turn, and
is shown only while that turn's answer is on screen; one model is asked at a time.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QSettings, Signal
from PySide6.QtWidgets import QMenu

from desktop_qa.core.errors import Cancelled, DesktopQaError
from desktop_qa.core.figure_description import FigureDescription, FigureToDescribe
from desktop_qa.core.model_said import ModelSaid
from desktop_qa.core.view import AnswerView, EvidenceView
from desktop_qa.gui.conversations.conversation_model import Conversation, Turn
from desktop_qa.gui.evidence.figure_window import FigureWindow
from desktop_qa.gui.session import LibrarySession
from desktop_qa.gui.widgets.dialog_parts import is_agreed
from desktop_qa.gui.window_parts import Deed, Feature, WindowParts
from desktop_qa.llm.errors import ModelError
from desktop_qa.llm.profile import WHAT_LEAVES, Profile, ProfileStore

_CHOSEN = "models/chosen"
_STAYS = "Nothing leaves this machine: documents, questions and answers stay here."


class ModelChoice(QObject):
    """The profile that is asked; the window's one truth about it.

    Attributes:
        changed: Another profile is asked, or none, or what is known of it is new.
    """

    changed = Signal()

    def __init__(
        self, settings: QSettings, store: ProfileStore, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.store = store
        self._settings = settings
        self.profiles: tuple[Profile, ...] = ()
        self.profile: Profile | None = None
        self.error: ModelError | None = None
        self.refresh()

    def choose(self, name: str) -> None:
        """Ask this profile from now on; an empty name, or one that is gone, asks none."""
        self._settings.setValue(_CHOSEN, name)
        self.refresh()

    def refresh(self) -> None:
        """Read the profiles again, after one was made, changed or removed.

        A file that is damaged asks no model; `error` says why.
        """
        name = str(self._settings.value(_CHOSEN, ""))
        try:
            self.profiles, self.error = self.store.profiles(), None
        except ModelError as error:
            self.profiles, self.error = (), error
        self.profile = next((p for p in self.profiles if name and p.name == name), None)
        self.changed.emit()

    def may_send(self, profile: Profile, library: str) -> bool:
        """Tell whether text of a library may go to a profile: always where it stays here."""
        if not profile.is_remote:
            return True
        try:
            return self.store.consent(Path(library), profile) is not None
        except ModelError:
            return False

    def agree(self, profile: Profile, library: str, day: datetime.date) -> None:
        """Keep that text of a library may go to a profile.

        Raises:
            ModelError: PROFILES, when that cannot be written.
        """
        self.store.agree(Path(library), profile, day)
        self.changed.emit()

    def withdraw(self, library: str) -> None:
        """Let text of a library go nowhere any more.

        Raises:
            ModelError: PROFILES, when that cannot be written.
        """
        self.store.withdraw(Path(library))
        self.changed.emit()


@dataclass(slots=True, eq=False)
class _Stream:
    """One question to a model.

    Attributes:
        turn: Whose answer it stands above.
        request_id: Of the library's process.
        is_void: Nobody wants what still comes of it.
    """

    turn: Turn
    said: ModelSaid
    request_id: int = 0
    is_void: bool = False


class ModelLink(Feature):
    """Asks the chosen model after each answer, and shows what it says above that answer."""

    def __init__(self, window: WindowParts, models: ModelsFeature) -> None:
        super().__init__(window)
        self._models = models
        self._choice = models.choice
        self._panel = panel = window.answer_panel
        self._section = panel.model_section
        self._stream: _Stream | None = None
        session = self._session
        session.turn_ended.connect(self._on_turn_ended)
        session.question_asked.connect(self.stop)
        session.library_left.connect(self._drop)
        session.library_closed.connect(self._drop)
        panel.answer_shown.connect(self._on_answer_shown)
        self._choice.changed.connect(self.changed)
        self._section.stop_button.clicked.connect(self.stop)
        self._section.ask_button.clicked.connect(self.ask_again)

    def actions(self) -> dict[str, Deed]:
        """See `Feature`."""
        is_running = self._on_screen is not None
        has_answer = self._panel.view is not None and self._choice.profile is not None
        return {
            "stop": (self._on_stop_wanted, self._session.is_asking or is_running),
            "ask_model": (self.ask_again, has_answer and not is_running),
            "fold_answer": (self._section.fold_next, self._section.said is not None),
        }

    @property
    def _on_screen(self) -> _Stream | None:
        """The stream that goes on above the answer on screen."""
        stream = self._stream
        is_shown = stream is not None and stream.turn.view is self._panel.view
        return stream if is_shown and stream is not None and not stream.said.is_over else None

    def ask_again(self) -> None:
        """Ask the chosen model of the answer on screen; what one said of it before gives way."""
        turn = self._session.conversations.active.current
        profile = self._choice.profile
        if turn is None or turn.view is None or turn.view is not self._panel.view:
            return
        if profile is not None and self._models.is_permitted(profile):
            self._ask(turn)

    def _on_turn_ended(self, _conversation: Conversation, turn: Turn) -> None:
        if turn.view is not None and not turn.compared:
            self._ask(turn)

    def _ask(self, turn: Turn) -> None:
        profile, library = self._choice.profile, self._session.library
        if profile is None or library is None or turn.view is None:
            return
        self.stop()
        if self._stream is not None and self._stream.turn is turn:
            self._stream.is_void = True
        stream = _Stream(turn, ModelSaid(profile.name, profile.model, profile.host))
        self._stream = stream
        self._show(stream)
        if not self._choice.may_send(profile, library.folder):
            words = f"Nothing was sent: text of this library may not go to {profile.host} yet."
            hint = "Ask again to decide."
            self._take(stream, replace(stream.said, is_over=True, error=words, hint=hint))
            return
        stream.request_id = self._session.start(
            *("ask_model", turn.view.answer, turn.question.scope or None, profile),
            on_result=partial(self._on_ended, stream),
            on_failure=partial(self._on_failed, stream),
            on_progress=partial(self._on_said, stream),
        )

    def _on_stop_wanted(self) -> None:
        """Give up the question under way; where there is none, stop the model on screen."""
        if self._session.is_asking:
            self._session.stop_asking()
        else:
            self.stop()

    def stop(self) -> None:
        """Stop the model; the window is quiet at once, and what was said stays."""
        stream = self._stream
        if stream is None or stream.said.is_over:
            return
        if stream.request_id:
            self._session.cancel(stream.request_id)
        self._take(stream, replace(stream.said, is_over=True, was_stopped=True))

    def _drop(self) -> None:
        """Another library is open, or none."""
        if self._stream is not None:
            self.stop()
            self._stream.is_void = True
            self._stream = None

    def _on_said(self, stream: _Stream, news: ModelSaid | AnswerView) -> None:
        if stream.is_void or stream.said.is_over:
            return
        if isinstance(news, AnswerView):  # it cites what can be shown only now
            stream.said = news.said or stream.said
            self._take_view(stream, news)
        else:
            stream.said = news
        self._show(stream)

    def _on_ended(self, stream: _Stream, view: AnswerView) -> None:
        if not stream.is_void:
            stream.said = view.said or stream.said
            self._take_view(stream, view)

    def _on_failed(self, stream: _Stream, error: DesktopQaError) -> None:
        if stream.is_void or isinstance(error, Cancelled):
            return
        said = replace(stream.said, is_over=True, error=error.message, hint=error.hint)
        self._take(stream, said)

    def _take(self, stream: _Stream, said: ModelSaid) -> None:
        """Keep with the turn what the model said in the end."""
        stream.said = said
        if stream.turn.view is not None:
            self._take_view(stream, replace(stream.turn.view, said=said))

    def _take_view(self, stream: _Stream, view: AnswerView) -> None:
        before, stream.turn.view = stream.turn.view, view
        if self._panel.view is before:
            self._panel.take_said(view)
        self.changed.emit()

    def _show(self, stream: _Stream) -> None:
        if self._panel.view is stream.turn.view:
            was_begun = self._section.said is not None and bool(self._section.said.blocks)
            self._section.show_said(stream.said, self._panel.view)
            if not was_begun:
                self.changed.emit()

    def _on_answer_shown(self, view: AnswerView | None) -> None:
        stream = self._on_screen
        if stream is not None:
            self._section.show_said(stream.said, view)
        else:
            self._section.show_said(view.said if view is not None else None, view)
        self.changed.emit()


class FigureDescriber(QObject):
    """Asks the chosen model of the figure that a window shows; a description made before is shown.

    A window that closes stops its model.
    """

    def __init__(
        self,
        window: FigureWindow,
        view: EvidenceView,
        session: LibrarySession,
        models: ModelsFeature,
    ) -> None:
        super().__init__(window)
        place = f"{view.file}, page {view.page}"
        self._figure = FigureToDescribe(view.figure_path or "", view.caption, view.text, place)
        self._window = window
        self._session = session
        self._models = models
        self._request_id = 0
        self._is_open = True
        window.describe_requested.connect(self._on_wanted)
        window.finished.connect(self._on_finished)
        self._session.request("kept_description", self._figure.image, on_result=self._on_kept)

    def _on_kept(self, kept: FigureDescription | None) -> None:
        if kept is not None and self._is_open and not self._request_id:
            self._window.show_description(kept.text, kept.byline)

    def _on_wanted(self) -> None:
        """Ask the model, or stop it; without one its dialog is opened."""
        window = self._window
        before, byline = window.description.text(), window.byline_label.text()
        if self._stop():
            window.show_description(before, "Stopped. What was said so far is not kept.")
            return
        if self._models.choice.profile is None:
            self._models.show_dialog()
        profile = self._models.choice.profile
        if profile is None or not self._models.is_permitted(profile):
            return

        def told(said: FigureDescription, *, goes_on: bool) -> None:
            if self._request_id == request_id:
                window.show_description(said.text, said.byline, goes_on=goes_on)
                if not goes_on:
                    self._request_id = 0

        def failed(error: DesktopQaError) -> None:
            if self._request_id == request_id:
                window.show_description(before, f"{error} {byline if before else ''}".strip())
                self._request_id = 0

        window.show_description("", f"{profile.model} looks at the figure …", goes_on=True)
        request_id = self._request_id = self._session.start(
            *("describe_figure", self._figure, profile),
            on_result=partial(told, goes_on=False),
            on_failure=failed,
            on_progress=partial(told, goes_on=True),
        )

    def _stop(self) -> bool:
        """Stop the model, and tell whether it was at work."""
        request_id, self._request_id = self._request_id, 0
        if request_id:
            self._session.cancel(request_id)
        return request_id != 0

    def _on_finished(self) -> None:
        self._is_open = False
        self._stop()


class ModelsFeature(Feature):
    """Knows which model is asked, and says at every moment whether text leaves the machine."""

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window)
        session = window.session
        self._status_line = window.status_line
        self.choice = ModelChoice(window.settings, ProfileStore(), self)
        self.answers = ModelLink(window, self)
        self._menu = QMenu(window)
        self._menu.aboutToShow.connect(self._fill_menu)
        self._status_line.privacy_button.setMenu(self._menu)
        self.choice.changed.connect(self._show_badge)
        session.library_opened.connect(self._show_badge)
        session.library_closed.connect(self._show_badge)
        self._show_badge()

    def actions(self) -> dict[str, Deed]:
        """See `Feature`."""
        return {"language_models": self.show_dialog}

    def show_dialog(self) -> None:
        """Open the dialog of the profiles."""
        # Nobody needs it at the start of the window.
        from desktop_qa.gui.models.models_dialog import ModelsDialog

        dialog = ModelsDialog(self._session, self.choice, self._window)
        dialog.exec()
        dialog.deleteLater()

    def describe_in(self, window: FigureWindow, view: EvidenceView) -> None:
        """Let the model that is chosen describe the figure of a window, as long as it is open."""
        FigureDescriber(window, view, self._session, self)

    def _show_badge(self, *_what: object) -> None:
        profile, folder = self.choice.profile, self._session.folder
        words, tip, leaves = "Offline", _STAYS, False
        if profile is not None and not profile.is_remote:
            words = f"Offline · {profile.model}"
            tip = f"{_STAYS} {profile.model} runs on this machine."
        elif profile is not None and folder and self.choice.may_send(profile, folder):
            words, leaves = f"Text goes to {profile.host}", True
            tip = (
                f"Questions and the passages found for them go to {profile.model} at"
                f" {profile.host}."
            )
        elif profile is not None:
            words = f"Offline · {profile.host} not allowed"
            tip = f"{_STAYS} Text of this library may not go to {profile.host} yet."
        self._status_line.show_privacy(words, tip, text_leaves=leaves)

    def _fill_menu(self) -> None:
        menu, chosen = self._menu, self.choice.profile
        menu.clear()
        for name, text in (
            ("", "No Language Model"),
            *((one.name, f"{one.name} ({one.model})") for one in self.choice.profiles),
        ):
            action = menu.addAction(text.replace("&", "&&"), partial(self.choose, name))
            action.setCheckable(True)
            action.setChecked(name == (chosen.name if chosen is not None else ""))
        menu.addSeparator()
        folder = self._session.folder
        if chosen is not None and chosen.is_remote and self.choice.may_send(chosen, folder):
            menu.addAction("Take Back What May Leave This Library", self._withdraw)
        menu.addAction("Language Models …", self.show_dialog)

    def choose(self, name: str, _checked: bool = False) -> None:
        """Ask a profile from now on; one elsewhere only when the user lets text go there."""
        self.choice.choose(name)
        profile, folder = self.choice.profile, self._session.folder
        if profile is not None and folder:
            self.is_permitted(profile)

    def is_permitted(self, profile: Profile) -> bool:
        """Tell whether text of the open library may go to a profile; the user is asked once."""
        folder = self._session.folder
        if self.choice.may_send(profile, folder):
            return True
        lines = "\n".join(f"•  {line}" for line in WHAT_LEAVES)
        agreed = is_agreed(
            self._window,
            "Text Leaves This Machine",
            f"May text of this library go to {profile.model} at {profile.host}?",
            f"With each question there go:\n{lines}\n\nIt holds for this library, this host and"
            " this model, in the window and in the terminal, until you take it back.",
            "Let It Go There",
            "Not Now",
        )
        if agreed:
            self.choice.agree(profile, folder, datetime.date.today())
        return agreed

    def _withdraw(self) -> None:
        self.answers.stop()
        self.choice.withdraw(self._session.folder)
