import datetime
import os
import pickle
import tomllib
from dataclasses import replace

import pytest

from desktop_qa.llm.errors import ModelError, ModelErrorKind
from desktop_qa.llm.messages import Usage
from desktop_qa.llm.profile import Dialect, Profile, ProfileStore
from desktop_qa.llm.toml_text import toml_text
from desktop_qa.paths import config_folder

LOCAL = Profile("Own", Dialect.OLLAMA, "http://127.0.0.1:11434", "qwen3:4b")
CLOUD = Profile(
    'Cloud "A"',
    Dialect.CHAT_COMPLETIONS,
    "https://api.example.com/v1/",
    "big model",
    n_context=32768,
    temperature=0.2,
    input_price=2.5,
    output_price=10.0,
)
DAY = datetime.date(2026, 11, 26)


class TestWhetherTextLeaves:
    @pytest.mark.parametrize(
        "address",
        [
            "http://127.0.0.1:11434",
            "http://127.8.0.1",
            "http://localhost:1234/v1",
            "http://LOCALHOST.:1234/v1",
            "http://own.localhost/v1",
            "http://[::1]:8080/v1",
            "http://[::ffff:127.0.0.1]/v1",
        ],
    )
    def test_loopback_stays_here(self, address):
        assert not replace(LOCAL, address=address).is_remote

    @pytest.mark.parametrize(
        "address",
        [
            "https://api.openai.com/v1",
            "http://192.168.1.5:11434",
            "http://127.0.0.1.example.com/v1",
            "http://localhost.example.com/v1",
            "http://0.0.0.0:11434",
            "http://own-server:8000/v1",
            "nonsense",
        ],
    )
    def test_everything_else_leaves(self, address):
        assert replace(LOCAL, address=address).is_remote

    @pytest.mark.parametrize("model", ["gpt-oss:120b-cloud", "kimi-k2:cloud"])
    def test_cloud_model_behind_a_local_server_leaves(self, model):
        profile = replace(LOCAL, model=model)
        assert profile.is_remote
        assert profile.host == "ollama.com"

    def test_model_that_was_found_elsewhere_leaves(self):
        profile = replace(LOCAL, model="own", remote_host="https://other.example.com:443")
        assert profile.is_remote
        assert profile.host == "other.example.com"


@pytest.mark.parametrize(
    "address",
    ["https://user:word@a.com/v1", "https://a.com/v1?key=1", "https://a.com/#x", "http://a:99999"],
)
def test_address_with_a_secret_or_nonsense_is_refused(address):
    with pytest.raises(ModelError) as caught:
        replace(CLOUD, address=address).check()
    assert caught.value.kind is ModelErrorKind.ADDRESS
    assert "word" not in str(caught.value).replace("password", "")


def test_profile_without_a_model_is_refused():
    with pytest.raises(ModelError):
        replace(CLOUD, model=" ").check()
    replace(CLOUD, model=" ").check_address()


def test_cost_is_reckoned_where_both_prices_are_known():
    assert CLOUD.cost(Usage(1_000_000, 100_000)) == pytest.approx(3.5)
    assert LOCAL.cost(Usage(1_000_000, 100_000)) is None


class TestStore:
    def test_missing_file_holds_nothing(self):
        assert ProfileStore().profiles() == ()
        assert ProfileStore().consents() == ()

    def test_profiles_come_back_as_they_were_saved(self):
        store = ProfileStore()
        store.save(LOCAL)
        store.save(CLOUD)
        assert ProfileStore().profiles() == (LOCAL, CLOUD)
        store.save(replace(LOCAL, n_context=4096))
        store.save(replace(CLOUD, input_price=None))
        assert store.profiles() == (
            replace(LOCAL, n_context=4096),
            replace(CLOUD, input_price=None),
        )
        store.remove(LOCAL.name)
        assert [profile.name for profile in store.profiles()] == [CLOUD.name]

    def test_whole_numbers_are_taken_as_numbers(self, tmp_path):
        file = tmp_path / "models.toml"
        file.write_text(
            '[[profiles]]\nname = "a"\ndialect = "ollama"\naddress = "http://127.0.0.1"\n'
            'model = "m"\ntemperature = 1\n'
        )
        (profile,) = ProfileStore(file).profiles()
        assert profile.temperature == 1.0

    def test_unknown_keys_and_dialects_stay_in_the_file(self, tmp_path):
        file = tmp_path / "models.toml"
        file.write_text(
            'theme = "dark"\nlist = [1, {a = [true]}]\n[extra]\n"odd key" = 2026-11-26T10:00:00\n'
            'deep = { a = 1.5, "b c" = "x" }\n'
            '[[profiles]]\nname = "Own"\ndialect = "ollama"\naddress = "http://127.0.0.1"\n'
            'model = "m"\nnew_key = 5\n'
            '[[profiles]]\nname = "File"\ndialect = "local file"\npath = "C:\\\\m.gguf"\n'
        )
        before = tomllib.loads(file.read_text())
        store = ProfileStore(file)
        assert [profile.name for profile in store.profiles()] == ["Own"]
        store.save(LOCAL)
        store.agree(tmp_path, CLOUD, DAY)
        after = tomllib.loads(file.read_text())
        assert after["profiles"][0]["new_key"] == 5
        assert after["profiles"][1] == before["profiles"][1]
        assert {name: after[name] for name in ("theme", "list", "extra")} == {
            name: before[name] for name in ("theme", "list", "extra")
        }

    @pytest.mark.parametrize(
        "content",
        [
            b"[[profiles",
            b"\xff\xfe",
            b"profiles = 5",
            b'[[profiles]]\nname = "a"\ndialect = "ollama"\nmodel = "m"',
            b'[[profiles]]\nname = "a"\ndialect = "ollama"\nmodel = 5\naddress = "a"',
            b'[[profiles]]\nname = "a"\ndialect = "ollama"\nmodel = "m"\naddress = "a"\n'
            b"n_context = true",
            b'[[profiles]]\nname = "a"\ndialect = "ollama"\nmodel = "m"\naddress = "a"\n'
            b"temperature = nan",
        ],
    )
    def test_damaged_file_is_told_and_left_alone(self, content, tmp_path):
        file = tmp_path / "models.toml"
        file.write_bytes(content)
        with pytest.raises(ModelError) as caught:
            ProfileStore(file).profiles()
        assert caught.value.kind is ModelErrorKind.PROFILES
        assert str(file) in caught.value.message
        assert file.read_bytes() == content

    def test_file_that_cannot_be_written_is_told(self, tmp_path):
        (tmp_path / "file").write_text("")
        with pytest.raises(ModelError) as caught:
            ProfileStore(tmp_path / "file" / "models.toml").save(LOCAL)
        assert caught.value.kind is ModelErrorKind.PROFILES

    def test_nothing_but_the_file_is_left_in_the_folder(self):
        ProfileStore().save(LOCAL)
        assert [file.name for file in config_folder().iterdir()] == ["models.toml"]


class TestConsent:
    def test_consent_is_for_one_library_host_and_model(self, tmp_path):
        store = ProfileStore()
        given = store.agree(tmp_path / "a", CLOUD, DAY)
        assert store.consent(tmp_path / "a", CLOUD) == given
        assert (given.host, given.model, given.agreed_on) == ("api.example.com", "big model", DAY)
        assert store.consent(tmp_path / "b", CLOUD) is None
        assert store.consent(tmp_path / "a", replace(CLOUD, model="other")) is None
        assert store.consent(tmp_path / "a", replace(CLOUD, address="https://x.org/v1")) is None

    def test_consent_is_to_no_line_that_came_later(self, tmp_path):
        file = tmp_path / "models.toml"
        ProfileStore(file).agree(tmp_path / "a", CLOUD, datetime.date(2026, 8, 26))
        assert ProfileStore(file).consent(tmp_path / "a", CLOUD) is not None
        content = tomllib.loads(file.read_text())
        del content["consents"][0]["n_lines"]
        file.write_text(toml_text(content))
        assert ProfileStore(file).consent(tmp_path / "a", CLOUD) is None

    def test_consent_given_again_has_the_new_day(self, tmp_path):
        store = ProfileStore()
        store.agree(tmp_path, CLOUD, DAY)
        store.agree(tmp_path, CLOUD, DAY + datetime.timedelta(1))
        assert [consent.agreed_on.day for consent in store.consents()] == [27]

    def test_withdrawn_consent_is_gone(self, tmp_path):
        store = ProfileStore()
        store.agree(tmp_path / "a", CLOUD, DAY)
        store.agree(tmp_path / "b", CLOUD, DAY)
        store.withdraw(tmp_path / "a")
        assert store.consent(tmp_path / "a", CLOUD) is None
        assert store.consent(tmp_path / "b", CLOUD) is not None

    @pytest.mark.skipif(os.name == "nt", reason="every name is text there")
    def test_folder_with_a_name_that_is_no_text_can_be_agreed_to(self, tmp_path):
        library = tmp_path / os.fsdecode(b"caf\xe9")
        ProfileStore().agree(library, CLOUD, DAY)
        assert ProfileStore().consent(library, CLOUD) is not None


@pytest.mark.parametrize(
    "content",
    [
        {},
        {"a": '" \\ \n \t \x00 \x1f \x7f é 😀'},
        {"a": [], "b": [[1, 2], []], "c": {}, "d": [{}], "e": [{"f": {"g": [{"h": 1}]}}, {}]},
        {"": 1, "a.b": {"c d": -1.5e300}, "t": datetime.time(1, 2, 3), "inf": float("inf")},
        {"when": datetime.datetime(2026, 1, 1, 1, tzinfo=datetime.UTC), "day": DAY},
        {"table": {"x": 1}, "after": True},
    ],
)
def test_toml_is_read_back_by_pythons_own_reader(content):
    assert tomllib.loads(toml_text(content)) == content


def test_error_survives_the_way_between_processes():
    error = ModelError(ModelErrorKind.CONTEXT_OVERFLOW, "Too long.", "Cut.")
    again = pickle.loads(pickle.dumps(error))
    assert (again.kind, str(again)) == (error.kind, "Too long. Cut.")
