# SPDX-License-Identifier: Apache-2.0
"""How hostile strangers of one process work side by side, and end."""

import sys
import threading


def told(tally):
    sys.stdin.read()
    tally.told.set()


def work(workers, plan, tally):
    """Lets all of them work to their end, and says once a second how far they are."""
    if plan["until_told"]:
        threading.Thread(target=told, args=(tally,), daemon=True).start()
    for worker in workers:
        worker.daemon = True
        worker.start()
    tally.all_there.set()
    for worker in workers:
        while worker.is_alive():
            worker.join(1)
            tally.tell()
    tally.tell(done=True)
