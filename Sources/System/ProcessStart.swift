// SPDX-License-Identifier: Apache-2.0
import Glibc

/// What every program of this package does first.
package enum ProcessStart {
    /// Makes the process's descriptors and signals what the rest of it expects.
    package static func prepare() {
        // A reader that has gone is an error of the write, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        // Who is started with it ignored never hears how its own children ended.
        signal(SIGCHLD, SIG_DFL)
        // A file that is opened must not become the output of a process that was given none: these
        // fail when they are used.
        for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
        }
    }
}
