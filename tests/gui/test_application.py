import subprocess
import sys

import pytest

_MODELS = """
from desktop_qa.library import facade
from desktop_qa.llm import errors, keys, limits, messages, model_thread, profile
profile.ProfileStore().profiles()
"""


@pytest.mark.process
@pytest.mark.parametrize(
    ("start", "unused"),
    [
        (
            "import desktop_qa.gui.application",
            ("torch", "numpy", "chromadb", "spacy", "pymupdf", "sentence_transformers", "openai"),
        ),
        # What the window asks of the models as it starts.
        (_MODELS, ("openai", "httpx2", "httpx", "keyring", "pydantic")),
        # Child processes begin with the entry module.
        ("import desktop_qa.__main__", ("PySide6",)),
    ],
)
def test_a_start_loads_nothing_that_is_not_needed_yet(start, unused):
    code = f"{start}\nimport sys; print([m for m in {unused!r} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=180
    )
    assert done.stdout.strip() == "[]"
