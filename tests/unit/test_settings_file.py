"""What a file of settings may say, and what it is told when it is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from bicameral.errors import ConfigError
from bicameral.settings import Settings, load_settings


def load(folder: Path, text: str | None = None, *, name: str = "bicameral.toml", **flags: object) -> Settings:
    if text is not None:
        (folder / name).write_text(text, encoding="utf-8")
    return load_settings(folder, environment={}, flags=flags)


def test_without_a_file_the_defaults_hold_and_the_project_is_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "allotment"
    folder.mkdir()
    settings = load(folder)
    assert settings.project == "allotment"
    assert settings.targets == ()
    assert settings.form_factors == ("desktop", "tablet", "phone")
    assert settings.sources == {}


def test_a_file_gives_targets_judges_and_limits(tmp_path: Path) -> None:
    settings = load(
        tmp_path,
        """
        project = "ferry"
        viewports = ["phone"]
        schemes = ["dark"]
        [[targets]]
        name = "site"
        url = "http://127.0.0.1:8000"
        routes = ["/", "/fares"]
        [judges]
        challenger = "none"
        [limits]
        load_timeout_s = 5.5
        """,
    )
    assert settings.project == "ferry"
    assert settings.targets[0].routes == ("/", "/fares")
    assert settings.form_factors == ("phone",)
    assert settings.schemes == ("dark",)
    assert settings.challenger == "none"
    assert settings.load_timeout_s == 5.5
    assert settings.sources["challenger"] == "bicameral.toml"


def test_pyproject_is_read_only_where_it_has_a_table_of_ours(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "x"\n', encoding="utf-8")
    assert load(tmp_path).sources == {}
    (tmp_path / "pyproject.toml").write_text('[tool.bicameral]\nproject = "y"\n', encoding="utf-8")
    assert load(tmp_path).project == "y"


def test_a_flag_beats_the_environment_and_the_file(tmp_path: Path) -> None:
    (tmp_path / "bicameral.toml").write_text('[judges]\nproposer = "axe"\n', encoding="utf-8")
    settings = load_settings(
        tmp_path, environment={"BICAMERAL_DB": "sqlite:///x.db"}, flags={"proposer": "layout", "challenger": None}
    )
    assert settings.proposer == "layout"
    assert settings.database == "sqlite:///x.db"
    assert settings.sources["proposer"] == "the command line"
    assert "BICAMERAL_DB" in settings.sources["database"]
    assert "challenger" not in settings.sources


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('projct = "x"', "projct: unknown key. Did you mean project?"),
        ('[judges]\nproposr = "x"', "judges.proposr: unknown key. Did you mean proposer?"),
        ('[[targets]]\nname = "a"\nurl = "http://x"\nroute = []', "targets.0.route: unknown key. Did you mean routes?"),
        ("project = 3", "project: "),
        ('[[targets]]\nname = "a"\nurl = "ftp://x"', "must be an absolute http or https address"),
        ('[[targets]]\nname = "a"\nurl = "http://x"\nroutes = ["fares"]', "'fares' must start with /"),
        ('[[targets]]\nname = "a b"\nurl = "http://x"', "targets.0.name"),
        (
            '[[targets]]\nname = "a"\nurl = "http://x"\n[[targets]]\nname = "a"\nurl = "http://y"',
            "two targets are named a",
        ),
        ('viewports = ["watch"]', "viewports.0"),
        ('viewports = ["phones"]', "Did you mean phone?"),
        ('[[targets]]\nurl = "http://x"', "targets.0.name: is missing"),
        ('[[targets]]\nname = "a b"\nurl = "http://x"', "must be one word, without white space or a slash"),
        ("schemes = []", "schemes"),
        ("[limits]\nload_timeout_s = -1", "limits.load_timeout_s"),
        ('[limits]\nload_timeout_s = "5"', "limits.load_timeout_s"),
        ('viewports = ["desktop", "phone", "desktop"]', "viewports: desktop is named twice"),
        ('schemes = ["dark", "dark"]', "schemes: dark is named twice"),
        ("[limits]\njudge_timeout_s = inf", "limits.judge_timeout_s"),
        ("[limits]\njudge_timeout_s = nan", "limits.judge_timeout_s"),
        ("[limits]\nload_timeout_s = 1e400", "limits.load_timeout_s"),
        ('project = "a\\u0000b"', "project: "),
        ('[[targets]]\nname = "a"\nurl = "http://x:99999"', "targets.0.url"),
        ('[[targets]]\nname = "a"\nurl = "http://[::1"', "targets.0.url"),
        ("project = ", "is not TOML"),
        ("x = " + "[" * 2000 + "]" * 2000, "nested too deeply"),
        ("project = 1" + "0" * 5000, "cannot be read"),
    ],
)
def test_a_file_that_is_wrong_is_told_where_and_how(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, text)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('tool = "bicameral"', "tool: "),
        ('tool = ["bicameral"]', "tool: "),
        ("tool = 3", "tool: "),
        ("[tool]\nbicameral = 3", "tool.bicameral: "),
        ("[[tool.bicameral]]\nproject = 'x'", "tool.bicameral: "),
        ("[tool]\nbicameral = false", "tool.bicameral: "),
    ],
)
def test_something_else_in_the_place_of_our_table_is_told_and_not_passed_over(
    tmp_path: Path, text: str, where: str
) -> None:
    for flags in ({}, {"config": tmp_path / "pyproject.toml"}):
        (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")
        with pytest.raises(ConfigError) as caught:
            load_settings(tmp_path, environment={}, flags={}, **flags)
        assert f"{where}a table was expected" in str(caught.value)


@pytest.mark.parametrize("name", ["a" * 5000, "a\0b"], ids=["too long", "NUL"])
def test_a_config_whose_name_no_file_can_have_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError, match=r"no path of a file|is not a file"):
        load_settings(tmp_path, config=tmp_path / name, environment={}, flags={})


def test_several_faults_arrive_together(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, 'projct = "x"\nscheme = ["dark"]\n[judges]\nfirst = "x"\n')
    assert all(word in str(caught.value) for word in ("projct", "scheme", "judges.first"))


def test_a_config_that_was_named_must_exist(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is not a file"):
        load_settings(tmp_path, config=tmp_path / "absent.toml", environment={}, flags={})


def test_bytes_that_are_no_text_are_refused_with_the_files_name(tmp_path: Path) -> None:
    (tmp_path / "bicameral.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match=r"bicameral\.toml"):
        load(tmp_path)
