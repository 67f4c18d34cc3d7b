"""The settings: a table, read once, and refused in one line."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import FrozenInstanceError, fields
from pathlib import Path

import pytest

from server import config as module
from server.config import (
    CLIENT_DIR,
    MARKERS,
    VARIABLES,
    Config,
    ConfigError,
    Variable,
    environ_with,
    read_config,
    table,
)


def test_without_any_variable_every_setting_has_its_default() -> None:
    config = read_config({})
    assert (config.host, config.port, config.data) == ("0.0.0.0", 8000, Path("data"))
    assert (config.redis_url, config.durability, config.allow_volatile) == ("", "disk", False)
    assert (config.address_connections, config.address_handshakes) == (200, 60)
    assert (config.address_identities, config.address_rooms) == (60, 60)


def test_an_empty_variable_is_not_set() -> None:
    assert read_config({"KUPA_PORT": "", "REDIS_URL": ""}) == read_config({})


def test_the_command_line_comes_before_the_environment() -> None:
    assert read_config({"KUPA_PORT": "9000"}, port=9001).port == 9001
    assert read_config({"KUPA_PORT": "many"}, port=9001).port == 9001  # what is not looked at cannot be wrong
    assert read_config({"KUPA_PORT": "9000"}, port=None).port == 9000


def test_the_value_is_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        read_config({}).port = 1  # type: ignore[misc]


def test_the_address_of_the_store_is_not_shown() -> None:
    assert "hunter2" not in repr(read_config({"REDIS_URL": "redis://:hunter2@store:6379"}))


@pytest.mark.parametrize(
    ("name", "value", "field", "meaning"),
    [
        ("KUPA_PORT", "0", "port", 0),
        ("KUPA_PORT", " 8080 ", "port", 8080),
        ("KUPA_DATA", "/srv/kupa", "data", Path("/srv/kupa")),
        ("REDIS_URL", "redis+sentinel://a:1,b:2/kupa", "redis_url", "redis+sentinel://a:1,b:2/kupa"),
        ("KUPA_DURABILITY", "second", "durability", "second"),
        ("KUPA_ALLOW_NO_ORIGIN", "Yes", "allow_no_origin", True),
        ("KUPA_ALLOW_VOLATILE", "off", "allow_volatile", False),
        ("KUPA_PUBLIC_URL", "https://Play.example.org/", "public_url", "https://play.example.org"),
        ("KUPA_PUBLIC_URL", "https://Example.org/Club/kupa/", "public_url", "https://example.org/Club/kupa"),
        ("KUPA_ORIGINS", "https://a.example, http://b.example:81", "origins", ("https://a.example", "http://b.example:81")),
        ("KUPA_PUBLIC_URL", "https://müller.example/kupa", "public_url", "https://xn--mller-kva.example/kupa"),
        ("KUPA_PUBLIC_URL", "http://[::1]:8000", "public_url", "http://[::1]:8000"),
        ("KUPA_ORIGINS", "https://A.example:443/,", "origins", ("https://a.example",)),
        ("KUPA_TRUSTED_PROXIES", "10.0.0.0/8,::1", "trusted_proxies",
            (ipaddress.ip_network("10.0.0.0/8"), ipaddress.ip_network("::1"))),
        ("KUPA_MAX_CONNECTIONS", "1", "max_connections", 1),
        ("KUPA_LOG_FORMAT", "json", "log_format", "json"),
    ],
)  # fmt: skip
def test_a_variable_becomes_a_typed_value(name: str, value: str, field: str, meaning: object) -> None:
    assert getattr(read_config({name: value}), field) == meaning


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("KUPA_PORT", "65536"),
        ("KUPA_PORT", "-1"),
        ("KUPA_PORT", "80a"),
        ("KUPA_PORT", "٨٠"),
        ("KUPA_MAX_CONNECTIONS", "0"),
        ("KUPA_MAX_CONNECTIONS", "9" * 40),
        ("KUPA_DURABILITY", "always"),
        ("KUPA_DURABILITY", "replica"),
        ("KUPA_ALLOW_NO_ORIGIN", "maybe"),
        ("KUPA_PUBLIC_URL", "play.example.org"),
        ("KUPA_PUBLIC_URL", "https://play.example.org/kupa?x=1"),
        ("KUPA_PUBLIC_URL", "https://play.example.org/a b"),
        ("KUPA_PUBLIC_URL", "https://play.example.org:port"),
        ("KUPA_PUBLIC_URL", "http://[::1"),
        ("KUPA_PUBLIC_URL", "http://a b"),
        ("KUPA_PUBLIC_URL", 'http://h"><script>'),
        ("KUPA_PUBLIC_URL", "http://h;script-src *"),
        ("KUPA_PUBLIC_URL", "http://h\r\nX: y"),
        ("KUPA_PUBLIC_URL", "http://*"),
        ("KUPA_PUBLIC_URL", "http://[::1]x/kupa"),
        ("KUPA_PUBLIC_URL", "http://["),
        ("KUPA_ORIGINS", "https://a.example,*"),
        ("KUPA_ORIGINS", "https://*"),
        ("KUPA_ORIGINS", "https://a b"),
        ("KUPA_ORIGINS", "https://h;x"),
        ("KUPA_ORIGINS", ", ,"),
        ("KUPA_DATA", "~nobody-of-this-name/x"),
        ("KUPA_TRUSTED_PROXIES", "10.0.0.1/8"),
        ("KUPA_TRUSTED_PROXIES", "proxy"),
        ("KUPA_LOG_LEVEL", "INFO"),
        ("KUPA_PROT", "8000"),
        ("REDIS_URL", "localhost:6379"),
        ("REDIS_URL", "http://localhost"),
        ("REDIS_URL", "redis://"),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_line_that_names_it(name: str, value: str) -> None:
    with pytest.raises(ConfigError) as refused:
        read_config({name: value})
    assert name in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("variable", VARIABLES, ids=lambda variable: str(variable.name))
def test_a_blank_value_and_one_that_is_no_text_are_refused_for_every_setting(variable: Variable) -> None:
    for value, words in ((" ", "is blank"), ("\t ", "is blank"), ("a\udcff" * 32, "UTF-8")):
        with pytest.raises(ConfigError, match=words) as refused:
            read_config({variable.name: value})
        assert str(refused.value).startswith(variable.name)
        str(refused.value).encode()


@pytest.mark.parametrize("name", ["KUPA_PUBLIC_URL", "KUPA_ORIGINS", "KUPA_ADMIN", "KUPA_TRUSTED_PROXIES"])
@pytest.mark.parametrize("value", ["http://user:hunter2@h", "user:hunter2@h", "https://a, https://u:hun/ter2@h"])
def test_a_password_in_an_unusable_address_is_not_repeated(name: str, value: str) -> None:
    with pytest.raises(ConfigError, match=r"\*\*\*@h") as refused:
        read_config({name: value})
    assert "ter2" not in str(refused.value)


@pytest.mark.parametrize(("port", "workers"), [(65535, 2), (65473, 64), (0, 2)])
def test_each_worker_needs_an_admin_port_of_its_own(port: int, workers: int) -> None:
    settings = {"KUPA_ADMIN": f"127.0.0.1:{port}", "KUPA_ADMIN_SECRET": "s" * 32}
    with pytest.raises(ConfigError, match=f"KUPA_ADMIN names port {port}"):
        read_config(settings, workers=workers)
    assert read_config(settings).admin[1] == port, "one process needs no further ones"


def test_a_misspelt_setting_is_told_its_right_name() -> None:
    with pytest.raises(ConfigError, match="KUPA_PROT is not a setting; KUPA_PORT is"):
        read_config({"KUPA_PROT": "8000"})


def test_variables_of_others_are_left_alone() -> None:
    assert read_config({"PATH": "/bin", "KUPA_TEST_CHROMIUM": "chromium"}) == read_config({})


def test_a_password_in_an_unusable_store_address_is_not_repeated() -> None:
    with pytest.raises(ConfigError) as refused:
        read_config({"REDIS_URL": "http://:hunter2@store"})
    assert "hunter2" not in str(refused.value)


def test_level_replica_is_not_promised_on_a_cluster() -> None:
    settings = {"REDIS_URL": "redis+cluster://store:7000", "KUPA_DURABILITY": "replica"}
    with pytest.raises(ConfigError, match="cluster"):
        read_config(settings)
    assert read_config(settings | {"REDIS_URL": "redis://store:7000"}).durability == "replica"


def test_the_table_names_every_setting_once_and_its_defaults_can_be_used() -> None:
    assert len(VARIABLES) == len(fields(Config))
    for variable in VARIABLES:
        assert table().count(f"| `{variable.name}` |") == 1
        assert re.fullmatch(r"KUPA_[A-Z_]+|REDIS_URL", variable.name)
        assert variable.meaning
    assert read_config({variable.name: variable.default for variable in VARIABLES}) == read_config({})


@pytest.fixture
def readme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "README.md"
    path.write_text(f"before\n{MARKERS[0]}\nold\n{MARKERS[1]}\nafter\n", encoding="utf-8")
    monkeypatch.setattr(module, "README", path)
    return path


def test_an_outdated_readme_fails_the_check_and_is_renewed(readme: Path) -> None:
    assert module.main(["--check"]) == 1
    assert module.main(["--write"]) == 0
    assert module.main(["--check"]) == 0
    lines = readme.read_text(encoding="utf-8").splitlines()
    assert (lines[0], lines[-1]) == ("before", "after")
    assert "old" not in lines


def test_a_readme_without_the_markers_is_refused(readme: Path) -> None:
    readme.write_text("nothing here", encoding="utf-8")
    with pytest.raises(ConfigError, match="no place"):
        module.main(["--check"])


def test_without_an_argument_the_table_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert module.main([]) == 0
    assert capsys.readouterr().out == table() + "\n"
    assert module.main(["--nonsense"]) == 2


def test_the_client_lies_beside_the_server() -> None:
    assert CLIENT_DIR.is_dir()
    assert CLIENT_DIR.parent == Path(module.__file__).parent.parent


def test_a_process_to_be_started_gets_settings_under_the_names_of_their_variables() -> None:
    environ = environ_with({"LANG": "C", "KUPA_PORT": "1"}, port=8123, redis_url="unix:///s", workers=1)
    assert environ == {"LANG": "C", "KUPA_PORT": "8123", "REDIS_URL": "unix:///s", "KUPA_WORKERS": "1"}
