"""What drawing took is the system's again, whichever thread drew."""

import platform
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_house import HOUSE

PROGRAM = """
import ctypes
import sys
import threading

from cogs.core.client.allocator import keep_little

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
