"""What drawing took is the system's again, whichever thread drew."""

import platform
import subprocess
import sys
from pathlib import Path

import pytest

from cogs.core.app import client
from cogs.core.app.client import GIVEN_BACK_EVERY_MS
from tests.cogs.conftest import House
from tests.test_house import HOUSE

PROGRAM = """
import ctypes
import sys
import threading

from cogs.core.app.allocator import keep_little

if sys.argv[1] == "told":
    assert keep_little()
libc, both = ctypes.CDLL(None), threading.Barrier(3)
libc.fopen.restype = ctypes.c_void_p


def draw() -> None:
    both.wait()
    large = bytearray(400_000)
    both.wait()


threads = [threading.Thread(target=draw) for _ in range(2)]
for thread in threads:
    thread.start()
both.wait()
told = libc.fopen(sys.argv[2].encode(), b"w")
libc.malloc_info(0, ctypes.c_void_p(told))
libc.fclose(ctypes.c_void_p(told))
both.wait()
"""
"""Two threads ask for room, and the C library writes down from which heaps it comes."""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc can be told")
def test_all_threads_have_their_room_from_one_heap_once_the_c_library_is_told(tmp_path: Path):
    heaps = {}
    for way in ("told", "untold"):
        report = tmp_path / way
        subprocess.run([sys.executable, "-c", PROGRAM, way, str(report)], cwd=HOUSE, check=True)
        heaps[way] = report.read_text(encoding="ascii").count("<heap ")
    assert heaps["told"] == 1 < heaps["untold"]


RETURNING = """
import ctypes

from cogs.core.app.allocator import give_back, keep_little


def resident() -> int:
    with open("/proc/self/statm", encoding="ascii") as told:
        return int(told.read().split()[1]) * 4096


keep_little()
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
rooms = [libc.malloc(60_000) for _ in range(1_000)]
for room in rooms:
    ctypes.memset(room, 1, 60_000)
for room in rooms[:-1]:  # the last one stays, and holds all that lies below it
    libc.free(ctypes.c_void_p(room))
before = resident()
give_back()
print(before - resident())
"""
"""What lies unused below something that is in use is given back. Tells how many bytes that were."""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc can be told")
def test_what_lies_unused_between_what_is_in_use_is_given_back():
    told = subprocess.run([sys.executable, "-c", RETURNING], cwd=HOUSE, check=True, capture_output=True, text=True)
    assert int(told.stdout) > 50_000_000


async def test_memory_is_given_back_after_the_start_and_again_while_people_play(
    house: House, monkeypatch: pytest.MonkeyPatch
):
    calls: list[int] = []
    monkeypatch.setattr(client, "give_back", lambda: calls.append(1))
    await house.restart()
    await house.turn(0)
    before = len(calls)
    for _ in range(2):
        await house.turn(GIVEN_BACK_EVERY_MS)
    assert before == 1 and len(calls) == 3
