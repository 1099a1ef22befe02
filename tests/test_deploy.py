"""What runs the bot for good: the unit of systemd, and the container."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HOUSE = Path(__file__).resolve().parents[1]
UNIT = HOUSE / "deploy" / "cellblock.service"
ONE_OF_MANY = HOUSE / "deploy" / "cellblock@.service"
IMAGE = (HOUSE / "deploy" / "Dockerfile").read_text(encoding="utf-8")
COMPOSE = (HOUSE / "deploy" / "compose.yaml").read_text(encoding="utf-8")
LEFT_OUT = (HOUSE / ".dockerignore").read_text(encoding="utf-8").split()


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed here")
@pytest.mark.parametrize("unit", [UNIT, ONE_OF_MANY], ids=lambda unit: unit.name)
def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path: Path, unit: Path):
    """With a user and a program of this machine in the place of those of the machine it is meant for."""
    text = unit.read_text(encoding="utf-8")
    text = re.sub(r"^(User|Group)=.*$", "", text, flags=re.MULTILINE)
    here = tmp_path / unit.name.replace("@", "@1")
    here.write_text(text.replace("/opt/cellblock/.venv/bin/python", shutil.which("env") or "/usr/bin/env"))
    quiet = {**os.environ, "SYSTEMD_LOG_LEVEL": "warning"}
    done = subprocess.run(["systemd-analyze", "verify", here], capture_output=True, text=True, env=quiet, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_unit_is_no_root_writes_in_one_place_and_does_not_start_again_what_only_its_owner_can_mend():
    lines = UNIT.read_text(encoding="utf-8").splitlines()
    assert {"User=cellblock", "ProtectSystem=strict", "NoNewPrivileges=yes", "CapabilityBoundingSet="} <= set(lines)
    assert {"UMask=0077", "StateDirectoryMode=0700", "RestartPreventExitStatus=2"} <= set(lines)
    assert "Environment=DATABASE=/var/lib/cellblock/cellblock.db" in lines and "StateDirectory=cellblock" in lines


@pytest.mark.parametrize("unit", [UNIT, ONE_OF_MANY], ids=lambda unit: unit.name)
def test_computer_players_may_stand_back_behind_those_who_play(unit: Path):
    filters = re.findall(r"^SystemCallFilter=(.+)$", unit.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert filters.index("setpriority") > filters.index("~@privileged @resources")  # the later one outranks the other


def test_the_c_library_is_told_to_keep_little_memory():
    for text in (UNIT.read_text(encoding="utf-8"), ONE_OF_MANY.read_text(encoding="utf-8"), IMAGE):
        assert "MALLOC_ARENA_MAX=2" in text and "MALLOC_TRIM_THRESHOLD_=4194304" in text


def test_the_container_comes_back_with_its_machine():
    assert re.search(r"^ +restart: unless-stopped\b", COMPOSE, flags=re.MULTILINE)


def test_the_unit_of_one_of_many_is_the_other_one_but_for_its_database_and_the_time_it_needs_to_hand_over():
    one, many = (unit.read_text(encoding="utf-8").splitlines() for unit in (UNIT, ONE_OF_MANY))
    settings = {line for line in {*one} ^ {*many} if not line.startswith(("#", "Description="))}
    assert settings == {
        "Environment=DATABASE=/var/lib/cellblock/cellblock.db",
        "EnvironmentFile=-/etc/cellblock-%i.env",
        "ProcSubset=pid",  # which hides by what processes of one machine know each other
        "TimeoutStopSec=30",
        "TimeoutStopSec=90",
    }


def test_the_image_holds_all_that_the_bot_loads_and_nothing_that_is_secret():
    copied = re.findall(r"^COPY (.+) \S+$", IMAGE, flags=re.MULTILINE)
    names = {name for line in copied for name in line.split()}
    assert {"bot.py", "cogs", "data", "engine", "locales", "sandbox", "pyproject.toml"} <= names
    assert all((HOUSE / name).exists() for name in names)
    assert {".env", ".git", "data/*.db*"} <= set(LEFT_OUT) and not names & set(LEFT_OUT)


def test_what_is_loaded_is_compiled_before_it_can_no_longer_be_written():
    (compiled,) = re.findall(r"^RUN python -m compileall -q (.+)$", IMAGE, flags=re.MULTILINE)
    assert {"bot.py", "cogs", "data", "engine"} <= set(compiled.split())
    assert IMAGE.index("compileall") < IMAGE.index("USER cellblock")
    assert "compileall -q bot.py engine data cogs" in (HOUSE / "deploy" / "README.md").read_text(encoding="utf-8")


def test_the_container_runs_as_its_own_user_with_a_volume_and_a_health_check():
    assert re.search(r"^USER cellblock$", IMAGE, re.MULTILINE)
    assert re.search(r"^VOLUME /data$", IMAGE, re.MULTILINE) and "DATABASE=/data/cellblock.db" in IMAGE
    assert 'CMD ["python", "bot.py", "alive", "--here"]' in IMAGE
    assert "data:/data" in COMPOSE and "read_only: true" in COMPOSE and "no-new-privileges:true" in COMPOSE
    named = re.search(r"dockerfile: (\S+)", COMPOSE)
    assert named is not None and (HOUSE / named[1]).is_file()


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed here")
@pytest.mark.parametrize(("modules", "wanted"), [((), "."), (("psycopg",), ".[postgres]")])
def test_an_update_brings_what_the_owner_has_added_to_its_present_version_too(
    modules: tuple[str, ...], wanted: str, tmp_path: Path
):
    """With a Python in the place of the folder's own that has these modules, and only notes what pip is to do."""
    python, noted, there = tmp_path / "bin" / "python", tmp_path / "noted", tmp_path / "there"
    for folder in (python.parent, *(there / module for module in modules)):
        folder.mkdir(parents=True)
    for module in modules:
        (there / module / "__init__.py").touch()
    python.write_text(
        f'#!/bin/sh\ncase "$*" in *pip*) echo "$*" > {noted};; '
        f'*) PYTHONPATH={there} exec {sys.executable} -S "$@";; esac\n'
    )
    python.chmod(0o755)
    subprocess.run(["make", f"VENV={tmp_path}", f"{tmp_path}/run.stamp"], cwd=HOUSE, capture_output=True, check=True)
    assert noted.read_text().split()[-1] == wanted
