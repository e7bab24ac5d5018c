"""What the viewer shows goes out with a question that points at it, and is said with the answer."""

from PySide6.QtCore import Qt

from desktop_qa.core.question import Question
from desktop_qa.core.viewed import Viewed
from tests.gui.fake_service import make_answer_view, make_library, make_status
from tests.gui.patient_bot import ask
from tests.gui.pdf_files import A5, show_document, write_pages
from tests.helpers.made_answers import with_answer

QUESTION = "What does this table show?"


def test_the_page_on_screen_goes_out_with_the_question_and_is_said_with_the_answer(
    qtbot, window, service, tmp_path
):
    path = write_pages(tmp_path / "TI_OPA4197.pdf", [A5] * 10)
    status = make_status(path.name, path=str(path), n_segments=9, n_pages=10, read_at=1.0)
    window.resize(1366, 768)
    service.open(window.session, make_library((status,)))
    # Without a document open that is what goes out.
    assert not window.ask_box.scope_bar.here_button.isEnabled()
    assert not window.action("ask_this_page").isEnabled()
    ask(qtbot, window, QUESTION)
    assert service.questions[-1].looks_at == Viewed()

    # The page on screen goes out with the question.
    show_document(qtbot, window.pdf_panel, path)
    window.pdf_panel.view.go_to(4)
    qtbot.waitUntil(lambda: window.pdf_panel.view.current_page == 4)
    ask(qtbot, window, QUESTION)
    viewed = service.questions[-1].looks_at
    assert (viewed.document_id, viewed.page_no) == ("TI_OPA4197.pdf", 4)
    assert viewed.places == ()
    assert viewed.part.width > 0

    # The page becomes a chip.
    window.here.menu.aboutToShow.emit()
    texts = [action.text() for action in window.here.menu.actions()]
    assert texts == ["This page (4 of OPA4197)", "This document (OPA4197)"]
    window.here.menu.actions()[0].trigger()
    assert window.ask_box.scope == ("/TI_OPA4197.pdf#page=4",)
    assert window.ask_box.scope_bar.entries[0].label.endswith("p. 4")
    window.action("ask_this_document").trigger()
    assert window.ask_box.scope == ("/TI_OPA4197.pdf",)

    # How it was read is said and taken back.
    window.action("ask_everything").trigger()
    ask(qtbot, window, QUESTION)
    view = make_answer_view(QUESTION)
    said = "“this table” is read as Table 6-5 on page 4 of TI_OPA4197.pdf"
    view = with_answer(view, here=said, read_as="What does Table 6-5 show?")
    service.answer("ask", view)
    row = window.answer_panel.here
    qtbot.waitUntil(row.isVisible)
    assert row.label.text().replace("\u200b", "") == f"{said}."
    assert not window.answer_panel.read_as.isVisible()
    qtbot.mouseClick(row.button, Qt.MouseButton.LeftButton)
    again = Question(QUESTION, conversation=window.session.conversation, alone=True)
    assert service.questions[-1] == again
    service.answer("ask", make_answer_view(QUESTION))
    qtbot.waitUntil(lambda: not row.isVisible())
