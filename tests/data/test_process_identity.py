"""Whether a process of this machine has exited."""

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from data.store import process_identity as machines
from data.store.process_identity import has_exited, machine_id, started_at

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="it is told by Linux alone")


@pytest.fixture
def child() -> Iterator["subprocess.Popen[bytes]"]:
    """A process that waits until it is ended."""
    with subprocess.Popen(["sleep", "600"]) as process:
        yield process
        process.kill()


def test_a_machine_is_the_same_for_all_its_processes():
    told = subprocess.run(
        [sys.executable, "-c", "from data.store.process_identity import machine_id; print(machine_id())"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.strip() == machine_id() != ""


def test_a_process_that_is_there_is_not_gone(child: "subprocess.Popen[bytes]"):
    assert not has_exited(os.getpid(), started_at(os.getpid())) and not has_exited(1, started_at(1))
    assert started_at(child.pid) >= started_at(os.getpid()) > 0 and not has_exited(child.pid, started_at(child.pid))


def test_a_process_that_was_ended_has_exited_even_if_nobody_waited_for_it(child: "subprocess.Popen[bytes]"):
    began = started_at(child.pid)
    child.kill()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert has_exited(child.pid, began)
    child.wait()
    assert has_exited(child.pid, began)


def test_another_process_of_the_same_number_is_another():
    assert has_exited(os.getpid(), started_at(os.getpid()) - 1)


@pytest.mark.parametrize(("pid", "began"), [(0, 5), (-1, 5), (2**22 + 1, 0)])
def test_nothing_is_certain_about_a_process_without_an_identity(pid: int, began: int):
    assert not has_exited(pid, began)


def test_a_process_that_cannot_be_inspected_is_not_reported_as_gone(
    child: "subprocess.Popen[bytes]", monkeypatch: pytest.MonkeyPatch
):
    def forbidden(pid: int, signal: int) -> None:
        raise PermissionError

    began = started_at(child.pid)
    monkeypatch.setattr(os, "kill", forbidden)
    assert not has_exited(child.pid, began) and has_exited(child.pid, began - 1)


def test_without_information_from_the_kernel_nothing_is_certain(
    child: "subprocess.Popen[bytes]", monkeypatch: pytest.MonkeyPatch
):
    began = started_at(child.pid)
    monkeypatch.setattr(machines, "_PROC", machines._PROC / "nowhere")
    assert not has_exited(child.pid, began - 1) and machine_id() == "" and started_at(child.pid) == 0
