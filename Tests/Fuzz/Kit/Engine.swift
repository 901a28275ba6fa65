// SPDX-License-Identifier: Apache-2.0
import Glibc

/// One of the programs for libFuzzer, which has the `main`: it asks the environment which of its
/// targets this process tries.
package enum Engine {
    /// The target of this process. Where the environment names none, all are listed, and the
    /// process ends.
    package static func target(among targets: [FuzzTarget]) -> FuzzTarget {
        let name = getenv("SEATAGENT_FUZZ_TARGET").map { String(cString: $0) } ?? ""
        guard let target = targets.first(where: { $0.name == name }) else {
            for target in targets { print("target \(target.name) \(target.longest)") }
            // Not `exit`: libFuzzer would call that a find.
            fflush(nil)
            _exit(2)
        }
        return target
    }
}
