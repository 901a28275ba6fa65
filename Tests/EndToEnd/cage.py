# SPDX-License-Identifier: Apache-2.0
"""One core at nice 10 for who shall not have more, by a cgroup where there can be one."""

import os
import uuid

V1, V2 = "/sys/fs/cgroup/cpu", "/sys/fs/cgroup"
PERIOD = 100_000


class Cage:
    """`argv` runs a program within; `how` says how it is held."""

    def __init__(self):
        self.folder = _made()
        self.how = "a cgroup of one core" if self.folder else "one core by taskset"

    def argv(self, argv):
        if not self.folder:
            core = max(os.sched_getaffinity(0))
            return ["nice", "-n", "10", "taskset", "-c", str(core), *argv]
        into = f'echo $$ > {self.folder}/cgroup.procs && exec nice -n 10 "$@"'
        return ["sh", "-c", into, "sh", *argv]

    def close(self):
        """Once all within have ended."""
        if self.folder:
            try:
                os.rmdir(self.folder)
            except OSError:
                pass
            self.folder = None


def _made():
    """A new cgroup's folder; None where there can be none."""
    limits = [(V1, {"cpu.cfs_period_us": PERIOD, "cpu.cfs_quota_us": PERIOD}),
              (V2, {"cpu.max": f"{PERIOD} {PERIOD}"})]
    for root, files in limits:
        folder = os.path.join(root, f"seatagent-{uuid.uuid4().hex[:12]}")
        try:
            os.mkdir(folder)
        except OSError:
            continue
        try:
            for name, value in files.items():
                with open(os.path.join(folder, name), "w") as file:
                    file.write(str(value))
            return folder
        except OSError:
            os.rmdir(folder)
    return None
