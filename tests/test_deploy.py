"""Test the deployment files: the systemd units and the container."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
UNIT = ROOT / "deploy" / "cellblock.service"
ONE_OF_MANY = ROOT / "deploy" / "cellblock@.service"
IMAGE = (ROOT / "deploy" / "Dockerfile").read_text(encoding="utf-8")
COMPOSE = (ROOT / "deploy" / "compose.yaml").read_text(encoding="utf-8")
IGNORED = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed here")
@pytest.mark.parametrize("unit", [UNIT, ONE_OF_MANY], ids=lambda unit: unit.name)
def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path: Path, unit: Path):
    """With a user and a program of this machine in place of the target machine's."""
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
def test_computer_players_may_lower_their_priority(unit: Path):
    filters = re.findall(r"^SystemCallFilter=(.+)$", unit.read_text(encoding="utf-8"), flags=re.MULTILINE)
    # Later filters override earlier ones
    assert filters.index("setpriority") > filters.index("~@privileged @resources")


def test_the_c_library_is_set_to_keep_little_memory():
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
        "ProcSubset=pid",  # hides what processes on one machine need to identify each other
        "TimeoutStopSec=30",
        "TimeoutStopSec=90",
    }


def test_the_image_holds_all_that_the_bot_loads_and_nothing_that_is_secret():
    copied = re.findall(r"^COPY (.+) \S+$", IMAGE, flags=re.MULTILINE)
    names = {name for line in copied for name in line.split()}
    assert {"bot.py", "cogs", "data", "engine", "locales", "sandbox", "pyproject.toml"} <= names
    assert all((ROOT / name).exists() for name in names)
    assert {".env", ".git", "data/*.db*"} <= set(IGNORED) and not names & set(IGNORED)


def test_what_is_loaded_is_compiled_before_it_can_no_longer_be_written():
    (compiled,) = re.findall(r"^RUN python -m compileall -q (.+)$", IMAGE, flags=re.MULTILINE)
    assert {"bot.py", "cogs", "data", "engine"} <= set(compiled.split())
    assert IMAGE.index("compileall") < IMAGE.index("USER cellblock")
    assert "compileall -q bot.py engine data cogs" in (ROOT / "deploy" / "README.md").read_text(encoding="utf-8")


def test_the_container_runs_as_its_own_user_with_a_volume_and_a_health_check():
    assert re.search(r"^USER cellblock$", IMAGE, re.MULTILINE)
    assert re.search(r"^VOLUME /data$", IMAGE, re.MULTILINE) and "DATABASE=/data/cellblock.db" in IMAGE
    assert 'CMD ["python", "bot.py", "alive", "--here"]' in IMAGE
    assert "data:/data" in COMPOSE and "read_only: true" in COMPOSE and "no-new-privileges:true" in COMPOSE
    named = re.search(r"dockerfile: (\S+)", COMPOSE)
    assert named is not None and (ROOT / named[1]).is_file()


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed here")
@pytest.mark.parametrize(("modules", "wanted"), [((), "."), (("psycopg",), ".[postgres]")])
def test_an_update_brings_what_the_owner_has_added_to_its_present_version_too(
    modules: tuple[str, ...], wanted: str, tmp_path: Path
):
    """A fake Python that has these modules records what pip is asked to do."""
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
    subprocess.run(["make", f"VENV={tmp_path}", f"{tmp_path}/run.stamp"], cwd=ROOT, capture_output=True, check=True)
    assert noted.read_text().split()[-1] == wanted
