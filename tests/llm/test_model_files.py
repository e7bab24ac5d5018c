"""What the head of a model file tells, and where other programs keep theirs."""

import json
import struct
import sys
from pathlib import Path

import pytest

from desktop_qa.llm import local_model, model_files
from desktop_qa.llm.client import models
from desktop_qa.llm.errors import ModelError, ModelErrorKind
from desktop_qa.llm.model_files import advice, found_files, read_model_file
from desktop_qa.llm.profile import Dialect, Profile, ProfileStore
from tests.llm.asking import ask, run
from tests.llm.gguf import gguf_head, text


def test_a_head_tells_name_context_and_memory(tmp_path):
    path = tmp_path / "small.gguf"
    path.write_bytes(gguf_head(n_weights=1 << 20))
    file = read_model_file(path)
    assert (file.name, file.n_context) == ("small", 4096)
    # Keys and values: 2 of 8 heads, 64 wide, in 10 layers, half precision.
    assert file.context_bytes == 10 * 2 * (64 + 64) * 2
    assert file.needed_bytes(4096) > file.n_bytes + 4096 * file.context_bytes
    assert "it fits" in file.fit(4096)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no model at all",
        gguf_head()[:60],
        b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + struct.pack("<Q", 1 << 60),
        b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + text("x") + struct.pack("<I", 99),
    ],
    ids=["empty", "text", "cut", "endless text", "unknown kind"],
)
def test_a_file_that_is_no_model_is_told(content, tmp_path):
    path = tmp_path / "small.gguf"
    path.write_bytes(content)
    with pytest.raises(ModelError, match=r"small\.gguf cannot be read: it is no GGUF"):
        read_model_file(path)
    with pytest.raises(ModelError, match="No such file"):
        read_model_file(tmp_path / "gone.gguf")


def test_models_of_other_programs_are_found(tmp_path, monkeypatch):
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("XDG_DATA_HOME", "OLLAMA_MODELS"):
        monkeypatch.delenv(name, raising=False)
    studio = tmp_path / ".lmstudio" / "models" / "maker" / "small" / "small.gguf"
    four_all = tmp_path / ".local" / "share" / "nomic.ai" / "GPT4All" / "other.gguf"
    ollama = tmp_path / ".ollama" / "models"
    blob = ollama / "blobs" / "sha256-abc"
    manifest = ollama / "manifests" / "registry" / "library" / "qwen3" / "4b"
    for path in (studio, four_all, blob, manifest):
        path.parent.mkdir(parents=True)
        path.write_bytes(gguf_head())
    layer = {"mediaType": "application/vnd.ollama.image.model", "digest": "sha256:abc"}
    manifest.write_text(json.dumps({"layers": [layer]}))
    (manifest.parent / "damaged").write_text("{")
    # A part that reads pictures, and a file that is none.
    (studio.parent / "mmproj.gguf").write_bytes(gguf_head({"general.architecture": "clip"}))
    (studio.parent / "broken.gguf").write_bytes(b"")
    found = [(file.owner, file.name, file.path) for file in found_files()]
    assert found == [
        ("GPT4All", "other", four_all),
        ("LM Studio", "small", studio),
        ("Ollama", "qwen3:4b", blob),
    ]


def test_a_file_is_a_profile_that_stays_on_this_machine(tmp_path):
    path = tmp_path / "small.gguf"
    path.write_bytes(gguf_head())
    profile = Profile("Mine", Dialect.FILE, str(path), "Small Model 1B")
    store = ProfileStore(tmp_path / "models.toml")
    store.save(profile)
    assert store.profiles() == (profile,)
    assert not profile.is_remote
    assert profile.host == "this machine"
    (listed,) = run(models(profile, ""))
    assert (listed.name, listed.n_context) == ("Small Model 1B", 4096)


@pytest.mark.parametrize(
    ("has_engine", "free", "sentence"),
    [
        (False, 1 << 40, 'pip install "desktop-qa[local]"'),
        (True, 1 << 20, "and 1 MB are free"),
    ],
    ids=["no engine", "no memory"],
)
def test_what_cannot_be_loaded_says_why(has_engine, free, sentence, tmp_path, monkeypatch):
    path = tmp_path / "small.gguf"
    path.write_bytes(gguf_head())
    monkeypatch.setattr(local_model, "_ENGINE", "json" if has_engine else "no_such_engine")
    monkeypatch.setattr(local_model, "free_bytes", lambda: free)
    asked = ask(Profile("Mine", Dialect.FILE, str(path), "small"))
    assert sentence in str(asked.failed)


def test_a_drive_that_went_away_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(local_model, "_ENGINE", "json")
    asked = ask(Profile("Mine", Dialect.FILE, str(tmp_path / "small.gguf"), "small"))
    assert asked.failed.kind is ModelErrorKind.NO_MODEL
    assert "drive" in asked.failed.hint


def test_the_advice_goes_by_the_memory_that_is_free(monkeypatch):
    monkeypatch.setattr(model_files, "free_bytes", lambda: 7 << 30)
    assert "6 GB of memory can be used" in advice()
    assert "10 billion parameters" in advice()
