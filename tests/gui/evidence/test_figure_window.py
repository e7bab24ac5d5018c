from __future__ import annotations

from dataclasses import replace

import pytest
import shiboken6
from PySide6.QtCore import QObject, QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage
from PySide6.QtWidgets import QWidget

from desktop_qa.core.errors import ExportError
from desktop_qa.core.segment import SegmentKind
from desktop_qa.gui.evidence.evidence_link import FigureExport, save_figure
from desktop_qa.gui.evidence.figure_view import MOST_PX, FigureView, ImageJob, read_image, reader
from desktop_qa.gui.evidence.figure_window import FigureCanvas, FigureWindow
from tests.gui.fake_service import make_evidence
from tests.gui.patient_bot import on_screen, save_as
from tests.gui.pdf_files import wheel, write_picture

SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100"'
    ' viewBox="0 0 200 100">{}</svg>'
)


@pytest.fixture
def window(qtbot, tmp_path) -> FigureWindow:
    made = FigureWindow("Figure 1. Noise", str(write_picture(tmp_path / "f.png")))
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    on_screen(qtbot, made, 700, 500)
    qtbot.waitUntil(lambda: not made.canvas.image.isNull())
    return made


def drawn(canvas: FigureCanvas) -> QRectF:
    """Where the whole image is, in the widget."""
    return QRectF(canvas.mapFromScene(canvas.sceneRect()).boundingRect())


def test_a_figure_is_fitted_at_first(window):
    canvas = window.canvas
    assert canvas.is_fitted
    assert canvas.rect().contains(drawn(canvas).toRect())
    middle = canvas.grab().toImage().pixelColor(canvas.width() // 2, canvas.height() // 2)
    assert middle == QColor("red")


def test_the_wheel_zooms_about_the_pointer(window):
    canvas = window.canvas
    canvas.zoom_to(3.0)
    at = QPointF(canvas.width() / 2 + 90, canvas.height() / 2 + 40)
    rect = drawn(canvas)
    before = (at - rect.topLeft()) / canvas.factor
    wheel(canvas, 240, Qt.KeyboardModifier.ControlModifier, at=at)
    assert canvas.factor > 3.0
    after = (at - drawn(canvas).topLeft()) / canvas.factor
    assert (after - before).manhattanLength() < 1.0


def test_keys_zoom_fit_and_show_the_pixels(qtbot, window):
    canvas = window.canvas
    fitted = canvas.factor
    qtbot.keyClick(canvas, Qt.Key.Key_Plus)
    assert canvas.factor > fitted
    qtbot.keyClick(canvas, Qt.Key.Key_1)
    assert canvas.factor == 1.0
    assert window.zoom_label.text() == "100 %"
    qtbot.keyClick(canvas, Qt.Key.Key_0)
    assert canvas.factor == pytest.approx(fitted)
    assert canvas.is_fitted


def test_dragging_moves_the_image_and_keeps_it_in_sight(qtbot, window):
    canvas = window.canvas
    canvas.zoom_to(6.0)
    left = drawn(canvas).left()
    qtbot.mousePress(canvas.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(300, 200))
    qtbot.mouseMove(canvas.viewport(), QPoint(340, 220))
    qtbot.mouseRelease(canvas.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(340, 220))
    assert drawn(canvas).left() == pytest.approx(left + 40, abs=1)
    canvas.horizontalScrollBar().setValue(-99_999)
    assert drawn(canvas).left() <= 0.5


def test_the_image_is_copied_unless_words_are_selected(window):
    window.copy_button.click()
    assert QGuiApplication.clipboard().image().size() == QSize(400, 200)
    window.caption_label.setSelection(0, 6)
    window._on_copy_pressed()
    assert QGuiApplication.clipboard().text() == "Figure"


def test_the_place_and_a_file_are_asked_for(qtbot, window):
    with qtbot.waitSignal(window.place_requested):
        window.place_button.click()
    with qtbot.waitSignal(window.save_requested):
        window.save_button.click()


@pytest.mark.parametrize("n_bytes", [20, 0])
def test_a_broken_image_says_so(qtbot, tmp_path, n_bytes):
    file = tmp_path / "broken.png"
    whole = write_picture(tmp_path / "f.png").read_bytes()
    file.write_bytes(whole[:n_bytes] if n_bytes else whole[: len(whole) // 2])
    view = on_screen(qtbot, FigureView(str(file), "Noise"), 400, 200)
    qtbot.waitUntil(lambda: view.is_missing)
    assert "damaged" in view.reason
    view.grab()


def test_a_large_image_is_read_no_larger_than_it_is_drawn(tmp_path):
    file = write_picture(tmp_path / "large.png", 5000, 5000)
    image, reason = read_image(ImageJob(str(file), "", QSize(500, 500)))
    assert reason == ""
    assert image.size() == QSize(1000, 1000)
    image, _ = read_image(ImageJob(str(file), "", QSize(9000, 9000)))
    assert max(image.width(), image.height()) == MOST_PX
    part, _ = read_image(ImageJob(str(file), "", QSize(5000, 5000), QRect(100, 100, 300, 200)))
    assert part.size() == QSize(300, 200)


def test_reading_lets_the_window_work(qtbot, tmp_path):
    file = write_picture(tmp_path / "large.png", 5000, 5000)
    owner = QWidget()
    qtbot.addWidget(owner)
    came: list[QImage] = []
    reader().read(ImageJob(str(file), "", QSize(500, 500)), owner, lambda i, _r: came.append(i))
    assert came == []
    qtbot.waitUntil(lambda: bool(came))


def test_nothing_is_handed_to_a_widget_that_is_gone(qtbot, tmp_path):
    file = str(write_picture(tmp_path / "f.png"))
    gone, kept = QObject(), QObject()
    came: list[str] = []
    reader().read(ImageJob(file, "", QSize(50, 50)), gone, lambda _i, _r: came.append("gone"))
    reader().read(ImageJob(file, "", QSize(50, 50)), kept, lambda _i, _r: came.append("kept"))
    shiboken6.delete(gone)
    qtbot.waitUntil(lambda: bool(came))
    assert came == ["kept"]


def test_a_drawing_is_sharp_at_any_size(tmp_path):
    svg = tmp_path / "f.svg"
    svg.write_text(SVG.format('<rect x="50" y="0" width="100" height="100" fill="#0000ff"/>'))
    png = write_picture(tmp_path / "f.png", 200, 100)
    image, _ = read_image(ImageJob(str(png), str(svg), QSize(2000, 1000)))
    assert image.size() == QSize(2000, 1000)
    assert image.pixelColor(505, 500) == QColor("#0000ff")
    assert image.pixelColor(495, 500) == QColor("#ffffff")


def test_a_drawing_that_refers_elsewhere_gives_way_to_its_bitmap(tmp_path):
    svg = tmp_path / "f.svg"
    svg.write_text(SVG.format('<image href="file:///etc/passwd"/>'))
    png = write_picture(tmp_path / "f.png", 200, 100)
    image, reason = read_image(ImageJob(str(png), str(svg), QSize(400, 200)))
    assert reason == ""
    assert image.pixelColor(20, 20) == QColor("red")


def test_a_figure_is_saved_as_bitmap_or_drawing(monkeypatch, make_parts, tmp_path):
    svg = tmp_path / "f.svg"
    svg.write_text(SVG.format(""))
    png = write_picture(tmp_path / "f.png")
    asked = save_as(monkeypatch, tmp_path / "out", "SVG drawing (*.svg)")
    window = make_parts()
    exports = FigureExport(window)
    view = make_evidence(1, SegmentKind.FIGURE, figure_path=str(png), caption="Figure 1")
    exports.choose(replace(view, vector_path=str(svg)))
    assert "PNG image" in asked[0][3]
    assert (tmp_path / "out.svg").read_bytes() == svg.read_bytes()
    assert window.message_area.banners[-1].notice.message == "out.svg was saved."
    save_figure(tmp_path / "out.png", str(png), str(svg))
    assert (tmp_path / "out.png").read_bytes() == png.read_bytes()
    with pytest.raises(ExportError):
        save_figure(tmp_path / "nowhere" / "out.png", str(png), "")
