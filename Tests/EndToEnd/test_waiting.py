# SPDX-License-Identifier: Apache-2.0
"""What tests wait for is so, and does not only look so."""

import subprocess
import sys

from case import Case
from waiting import is_gone, until, until_gone

#: A process whose first thread ends at once. Another lives on, until its input ends.
CHILD = """
import ctypes, sys, threading
threading.Thread(target=sys.stdin.read).start()
ctypes.CDLL(None).pthread_exit(None)
"""


class Waiting(Case):
    def test_a_process_is_there_until_its_last_thread_has_ended(self):
        child = subprocess.Popen([sys.executable, "-c", CHILD], stdin=subprocess.PIPE)
        self.addCleanup(child.kill)

        def state():
            with open(f"/proc/{child.pid}/stat", encoding="ascii") as file:
                return file.read().rsplit(")", 1)[1].split()[0]
        until("its first thread has ended", lambda: state() == "Z", 20)
        self.assertFalse(is_gone(child.pid))
        child.stdin.close()
        child.wait(20)
        until_gone(child.pid)
