"""A question's way through the window: asked, searched for, answered, shown."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QTimer

from desktop_qa.core.progress import DocumentStatus
from desktop_qa.core.question import Question
from desktop_qa.core.view import AnswerView
from desktop_qa.gui.answers.answer_panel import SEARCHING
from desktop_qa.gui.answers.answer_parts import markers_shown
from desktop_qa.gui.asking.ask_box import BoxMode
from desktop_qa.gui.conversations.conversation_link import EarlierAnswers
from desktop_qa.gui.conversations.conversation_model import Conversation, Turn, TurnState
from desktop_qa.gui.conversations.thread_view import waiting_words
from desktop_qa.gui.library.scope_model import ScopeEntry
from desktop_qa.gui.widgets.messages import announce, spoken_answer
from desktop_qa.gui.widgets.timers import single_shot
from desktop_qa.gui.window_parts import Deed, Feature, WindowParts
from desktop_qa.retrieve.unread import named_unread

_OPENING = "Opening the earlier answer …"
_FIRST = "Searching … The first question after the start takes longer."
_SLOW_MS = 4000
_FIRST_READ = "The first documents are being read. Your question is asked as soon as one is ready …"
_NAMED = "{file} is not read yet. Your question is asked as soon as it is …"
_PAUSED = "Reading is paused. Your question is asked when it goes on (Resume, at the bottom)."


class QuestionLink(Feature):
    """Connects the box for questions, the session and the panels of the answer.

    What is on screen is the current turn of the conversation that the session shows.
    """

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window)
        self._ask_box = window.ask_box
        self._start_page = window.start_page
        self._answer_panel = window.answer_panel
        self._evidence_panel = window.evidence_panel
        self._citations = window.citations
        self._thread = window.thread_view
        self._hint = window.follow_up_hint
        self.earlier = EarlierAnswers(window)
        self._on_screen: Turn | None = None
        self._is_filling = False
        self._was_answered = False
        self.slow_timer = single_shot(self, self._on_slow, _SLOW_MS)
        session, panel, box = self._session, self._answer_panel, self._ask_box
        session.waits_for = self._words_of_wait
        for change in (session.statuses_changed, session.sync_progressed, session.sync_finished):
            change.connect(lambda *_what: session.send_questions_in_wait())
        session.question_asked.connect(self._on_question_asked)
        session.turn_ended.connect(self._on_turn_ended)
        session.conversation_shown.connect(self._on_conversation_shown)
        session.conversations_changed.connect(self._on_conversations_changed)
        box.asked.connect(session.ask)
        box.mode_changed.connect(lambda _mode: self._show_origin())
        box.stop_requested.connect(session.stop_asking)
        box.edit.textChanged.connect(self._on_text_changed)
        box.scope_bar.changed.connect(self._on_scope_changed)
        self._start_page.example_clicked.connect(self.ask_example)
        panel.read_as.refused.connect(partial(self.ask, alone=True))
        panel.readings.chosen.connect(self.ask)
        panel.answer_shown.connect(self._on_answer_shown)
        panel.back_button.clicked.connect(lambda: self.step(-1))
        panel.forward_button.clicked.connect(lambda: self.step(1))
        panel.heading.edited.connect(self.ask_edited)
        for button in (panel.heading.again_button, panel.retry_button):
            button.clicked.connect(self.ask_again)
        panel.heading.editing_ended.connect(box.setFocus)
        self._thread.earlier.chosen.connect(self.show_turn)
        self._thread.later.chosen.connect(self.show_turn)
        self._hint.button.clicked.connect(self._on_alone_clicked)
        self.earlier.turns_loaded.connect(self._on_turns_loaded)
        self.earlier.answer_loaded.connect(self._on_answer_loaded)
        # Until a library is open there is no answer, and no arrows to go to another.
        self._show_answer_page(False)

    def actions(self) -> dict[str, Deed]:
        """See `Feature`."""
        panel, is_open = self._answer_panel, self._session.library is not None
        active = self._session.conversations.active
        current = active.current
        is_done = is_open and current is not None and current.state is not TurnState.ASKING
        return {
            "focus_ask": (self._window.focus_box, is_open),
            "edit_question": (self.edit_question, is_done),
            "ask_again": (self.ask_again, is_done),
            "previous_answer": (lambda: self.step(-1), active.neighbour(-1) is not None),
            "next_answer": (lambda: self.step(1), active.neighbour(1) is not None),
            "copy_answer": (panel.copy_answer, is_open),
            "why": (panel.why_button.toggle, is_open and panel.view is not None),
        }

    # Asking

    def ask_example(self, text: str) -> None:
        """Ask a question that the start page offers; what is typed stays."""
        self._ask_box.set_mode(BoxMode.ASK)
        self._ask_box.remember(text)
        self._ask_box.setFocus()
        self.ask(text)

    def ask(self, text: str, *, alone: bool = False) -> None:
        """Ask of what is searched now; alone, a follow-up is asked as it was typed."""
        self._session.ask(Question(text, self._ask_box.scope, alone=alone))

    def edit_question(self) -> None:
        """Open the editor of the question on screen."""
        self._window.show_pane("answer")
        self._answer_panel.heading.edit()

    def ask_edited(self, text: str) -> None:
        """Ask the question on screen in other words; it goes on from what that one went on from."""
        turn = self._session.conversations.active.current
        if turn is not None:
            self._ask_like(turn, text)

    def ask_again(self) -> None:
        """Ask the question on screen once more; its answer of before stays in the thread."""
        turn = self._session.conversations.active.current
        if turn is not None and turn.state is not TurnState.ASKING:
            # The button that was pressed goes away: the keyboard belongs to the next question.
            self._ask_box.setFocus()
            self._ask_like(turn, turn.question.text)

    def _ask_like(self, turn: Turn, text: str) -> None:
        active = self._session.conversations.active
        before = active.turns[: active.turns.index(turn)] if turn in active.turns else []
        origin = next((one for one in reversed(before) if one.state is TurnState.ANSWERED), None)
        asked = turn.question
        question = replace(
            asked,
            text=text,
            alone=asked.alone or origin is None,
            goes_on_from=asked.goes_on_from or (origin.history_id if origin is not None else 0),
        )
        compared = turn.compared if text == asked.text else ()
        again = Turn(question, compared=compared, looks=turn.looks)
        if turn.state is TurnState.FAILED and turn in active.turns:
            # It is the same question that is tried: no reason to keep the failure in the way.
            active.turns.remove(turn)
            active.current = turn.before
        self._session.ask_turn(again)

    def _on_alone_clicked(self) -> None:
        active = self._session.conversations.active
        active.asks_alone = not active.asks_alone
        self._show_origin()
        self._ask_box.setFocus()

    # What is unfinished

    def _on_text_changed(self) -> None:
        if not self._is_filling and self._ask_box.mode is BoxMode.ASK:
            self._session.conversations.active.draft = self._ask_box.edit.toPlainText()
            self._session.draft_changed.emit()

    def _on_scope_changed(self, entries: tuple[ScopeEntry, ...]) -> None:
        if not self._is_filling:
            self._session.conversations.active.scope = entries
            self._session.draft_changed.emit()

    def _fill_box(self, conversation: Conversation) -> None:
        box = self._ask_box
        self._is_filling = True
        box.show_draft(conversation.draft)
        box.scope_bar.set_entries(conversation.scope)
        self._is_filling = False
        box.set_asking(conversation.asking is not None)

    # What is on screen

    def step(self, by: int) -> None:
        """Show the turn before (-1) or after (1)."""
        self.show_turn(self._session.conversations.active.neighbour(by))

    def show_turn(self, turn: Turn | None) -> None:
        """Show a turn of the conversation that is shown."""
        active = self._session.conversations.active
        if turn in active.turns:
            active.current = turn
            self._show_current(is_other=True)

    def _on_conversation_shown(self, conversation: Conversation) -> None:
        self._fill_box(conversation)
        self.earlier.load_turns(conversation)
        self._show_current(is_other=True)

    def _on_question_asked(self, _question: Question) -> None:
        self._ask_box.set_asking(True)
        self._show_current()
        if not self._was_answered:
            self.slow_timer.start()

    def _on_slow(self) -> None:
        """Say why the first answer takes its time: the language model is being loaded."""
        turn = self._session.conversations.active.current
        if turn is None or turn.state is not TurnState.ASKING or self._was_answered:
            return
        if waiting_words(turn) == SEARCHING:
            self._answer_panel.show_waiting_words(_FIRST)

    def _on_turn_ended(self, conversation: Conversation, turn: Turn) -> None:
        if turn.view is not None:
            self._was_answered = True
            self.earlier.touch(turn)
        if conversation is self._session.conversations.active:
            self._fill_box(conversation)
            self._show_current()
        if turn.view is not None:
            announce(self._answer_panel, spoken_answer(turn.view.answer))

    def _on_turns_loaded(self, conversation: Conversation) -> None:
        if conversation is self._session.conversations.active:
            self._show_current()
        self._session.conversations_changed.emit()

    def _on_answer_loaded(self, turn: Turn) -> None:
        if turn is self._session.conversations.active.current:
            self._show_current()

    def _on_conversations_changed(self) -> None:
        turn = self._session.conversations.active.current
        if turn is not None and turn.state is TurnState.ASKING:
            self._answer_panel.show_waiting_words(waiting_words(turn))

    def _keep_place(self, current: Turn | None) -> None:
        """Remember where the reader was in the turn that gives way to another."""
        left, self._on_screen = self._on_screen, current
        if left is None or left is current or left.view is None:
            return
        if self._answer_panel.view is left.view:
            left.marker = self._answer_panel.answer_text.active_marker
            left.scroll = self._thread.place

    def _show_current(self, *, is_other: bool = False) -> None:
        """Show the current turn: another one, or what comes of the one that is on screen."""
        active = self._session.conversations.active
        turn, panel = active.current, self._answer_panel
        self._keep_place(turn)
        if turn is None:
            self._show_none(active)
        elif turn.state is TurnState.ASKING:
            panel.show_searching(turn.question.text, waiting_words(turn), at_once=is_other)
            self._show_answer_page(True)
        elif turn.state is TurnState.FAILED and turn.error is not None:
            panel.show_failure(turn.question.text, turn.error)
        elif turn.view is None:
            panel.show_searching(turn.question.text, _OPENING, at_once=is_other)
            self._show_answer_page(True)
            self.earlier.fetch_answer(turn)
        elif panel.view is not turn.view or panel.is_searching:
            self._show_answer(turn)
        self._thread.show(active)
        self._thread.go_to(turn.scroll if turn is not None else None)
        self._show_origin()
        is_before, is_after = active.neighbour(-1) is not None, active.neighbour(1) is not None
        panel.show_neighbours(is_before=is_before, is_after=is_after)
        self.changed.emit()

    def _show_none(self, conversation: Conversation) -> None:
        self._answer_panel.clear()
        if not conversation.is_loaded and conversation.first_question:
            self._answer_panel.show_searching(conversation.first_question, _OPENING)
            self._show_answer_page(True)

    def _show_answer(self, turn: Turn) -> None:
        assert turn.view is not None
        self.earlier.touch(turn)
        self._answer_panel.show_answer(turn.view)
        self._thread.give_room()
        # In a turn of its own: the answer is on screen before the document is opened.
        QTimer.singleShot(0, self, partial(self._show_citation, turn))

    def _show_citation(self, turn: Turn) -> None:
        view = turn.view
        if view is None or self._answer_panel.view is not view:
            return
        if turn.is_seen:
            self._citations.show_again(turn.marker)
            return
        turn.is_seen = True
        first = next((e for e in view.evidence if e.is_cited and e.path), None)
        if first is not None:
            self._citations.show_citation(first.marker)

    def _show_origin(self) -> None:
        active = self._session.conversations.active
        origin = active.origin
        words = ""
        may_ask = active.asking is None and self._ask_box.mode is BoxMode.ASK
        if origin is not None and may_ask:
            words = origin.view.answer.read_as if origin.view is not None else ""
            words = words or origin.question.text
        self._hint.show_origin(words, is_alone=active.asks_alone)

    def _on_answer_shown(self, view: AnswerView | None) -> None:
        if view is None:
            self._evidence_panel.show_evidence(())
        else:
            found, shown = view.answer.evidence, markers_shown(view.answer)
            self._evidence_panel.show_evidence(view.evidence, found, shown)
        self._show_answer_page(view is not None or bool(self._answer_panel.question_label.text()))

    def _show_answer_page(self, is_answer: bool) -> None:
        self._start_page.setVisible(not is_answer)
        self._answer_panel.setVisible(is_answer)

    def _words_of_wait(self, turn: Turn) -> str:
        """Say what a question waits for; empty when it is to be asked now.

        Who asks in the first seconds of a library asks once: the question is held while nothing
        can be searched and something is read. One that was held and names a document is held until
        that one is read, since no other could answer it.
        """
        session = self._session
        if session.library is None or not session.is_syncing:
            return ""
        named: DocumentStatus | None = None
        if any(status.has_content for status in session.statuses):
            unread = named_unread(turn.question.text, session.statuses) if turn.waits_for else ()
            named = next((status for status in unread if not status.state.is_final), None)
            if named is None:
                return ""
        if session.is_paused:
            return _PAUSED
        if named is None:
            return _FIRST_READ
        return _NAMED.format(file=named.file.rsplit("/", 1)[-1])
