import platform
import subprocess
import sys
import textwrap

import pytest
from servers import PATIENCE

ALLOCATES = """
    import ctypes, threading
    from service.native_heap import share_one_heap

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
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries have no heap for each thread")
@pytest.mark.parametrize(("before", "shared"), [("share_one_heap()", "True"), ("", "False")])
def test_threads_allocate_native_memory_from_one_heap(before, shared):
    code = textwrap.dedent(ALLOCATES.format(before=before))
    said = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=PATIENCE
    ).stdout
    assert said.strip() == shared
