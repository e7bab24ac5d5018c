import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.process

SCRIPT = "house"


@pytest.fixture
def checkout(tmp_path) -> Path:
    files = {
        "desktop_qa/core/base.py": (
            '"""A module."""\n\nimport re\n\n'
            "WORD = re.compile('a')\nSHARE = 0.5\n\n\n"
            "class Base:\n    '''Has a text.'''\n\n"
            "    def __init__(self, a: int, *, b: int) -> None:\n        self.a = a\n"
        ),
        "desktop_qa/core/more.py": (
            "from desktop_qa.core.base import Base\n\n\n"
            "class More(Base):\n    def long(self) -> None:\n"
            "        # A comment.\n"
            "        x = 1\n        y = 2\n        z = 3\n        print(x, y, z)\n"
        ),
        "desktop_qa/core/__init__.py": "from desktop_qa.core import first\n",
        "desktop_qa/core/first.py": "def late() -> None:\n    import desktop_qa.core\n",
        "tests/conftest.py": "def window():\n    return MainWindow()\n",
        "tests/test_window.py": (
            "def test_a(window):\n    pass\n\n\ndef test_b():\n    window = 1\n    print(window)\n"
        ),
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    identity = ["-c", "user.name=n", "-c", "user.email=e"]
    for command in (["init", "-q"], ["add", "."], [*identity, "commit", "-qm", "all"]):
        subprocess.run(["git", "-C", tmp_path, *command], check=True)
    return tmp_path


def test_the_house_is_counted_by_package(checkout, script):
    counted = script.house(checkout)
    core = counted["packages"]["desktop_qa/core"]
    assert core["files"] == 4
    assert core["code_lines"] == 6 + 7 + 1 + 2
    assert (core["functions"], core["short_functions"]) == (3, 2)
    assert (core["patterns"], core["floats"]) == (1, 1)
    assert (core["inheritance"], core["constructor"]) == (2, 2)
    assert counted["import_circles"] == [["desktop_qa.core", "desktop_qa.core.first"]]
    assert counted["window_tests"] == 1


def test_the_count_is_printed_as_a_table_for_the_docs(checkout, script):
    printed = subprocess.run(
        [sys.executable, script.__file__, checkout],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "| desktop_qa/core | 4 |" in printed.stdout
