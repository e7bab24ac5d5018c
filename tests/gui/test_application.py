import subprocess
import sys

import pytest

pytestmark = pytest.mark.process

_HEAVY = ("torch", "numpy", "chromadb", "spacy", "pymupdf", "sentence_transformers", "openai")


def test_the_window_imports_no_heavy_engine():
    code = (
        "import sys, desktop_qa.gui.application; "
        f"print([m for m in {_HEAVY!r} if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=180
    )
    assert done.stdout.strip() == "[]"


def test_the_entry_module_imports_nothing_of_qt_for_child_processes():
    code = "import sys, desktop_qa.__main__; print('PySide6' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=180
    )
    assert done.stdout.strip() == "False"
