import subprocess
import sys

import pytest

_AT_START = """
import sys
from desktop_qa.library import facade
from desktop_qa.llm import errors, keys, limits, messages, model_thread, profile
profile.ProfileStore().profiles()
print(sorted({"openai", "httpx2", "httpx", "keyring", "pydantic"} & set(sys.modules)))
"""


@pytest.mark.process
def test_what_the_window_needs_at_its_start_loads_no_client():
    done = subprocess.run(
        [sys.executable, "-c", _AT_START], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


_AT_EXIT = """
import asyncio
from desktop_qa.llm.model_thread import ModelThread
thread = ModelThread()
thread.call(lambda: asyncio.sleep(600))
print("asked")
"""


@pytest.mark.process
def test_question_under_way_does_not_keep_the_program_from_ending():
    done = subprocess.run(
        [sys.executable, "-c", _AT_EXIT], capture_output=True, text=True, check=True, timeout=60
    )
    assert (done.stdout, done.stderr) == ("asked\n", "")
