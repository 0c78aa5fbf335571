import platform
import subprocess
import sys
import textwrap

import pytest

from tests.support.processes.servers import PATIENCE

ALLOCATES = """
    import ctypes, threading
    from service.native_heap import OWN_PAGES, give_memory_back

    {before}
    libc = ctypes.CDLL(None)
    libc.malloc.restype = ctypes.c_void_p
    heap = next(line for line in open("/proc/self/maps") if line.endswith("[heap]\\n")).split()[0]
    begin = int(heap.split("-")[0], 16)
    places = []
    threads = [threading.Thread(target=lambda: places.append(libc.malloc(1000))) for _ in range(4)]
    for thread in threads:
        thread.start()
        thread.join()
    libc.sbrk.restype = ctypes.c_void_p
    end = libc.sbrk(0)  # the heap may have grown
    print(all(begin <= place < end for place in places))

    libc.free.argtypes = [ctypes.c_void_p]
    libc.free(libc.malloc(8 << 20))  # after which glibc would keep blocks of this size in the heap
    print(begin <= libc.malloc(OWN_PAGES) < libc.sbrk(0))
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries have no heap for each thread")
@pytest.mark.parametrize(("before", "shared"), [("give_memory_back()", ["True", "False"]), ("", ["False", "True"])])
def test_threads_have_one_heap_and_large_blocks_are_not_in_it(before, shared):
    code = textwrap.dedent(ALLOCATES.format(before=before))
    said = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=PATIENCE
    ).stdout
    assert said.split() == shared


LEAVES_HOLES = """
    import asyncio, ctypes, resource
    from service.native_heap import HeapTrimmer

    libc = ctypes.CDLL(None)
    libc.malloc.restype = ctypes.c_void_p
    libc.free.argtypes = [ctypes.c_void_p]

    def resident():
        return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize()

    before = resident()
    places = [libc.malloc(1000) for _ in range(100_000)]
    for place in places:
        ctypes.memset(place, 1, 1000)
    for number, place in enumerate(places):
        if number % 100:
            libc.free(place)
    freed = resident()
    asyncio.run(HeapTrimmer().turn())
    print((freed - before) // 1_000_000 > 80, (resident() - before) // 1_000_000 < 40)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries are not asked to")
def test_free_pages_between_those_in_use_are_given_back():
    code = textwrap.dedent(LEAVES_HOLES)
    said = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=PATIENCE)
    assert said.stdout.split() == ["True", "True"]
