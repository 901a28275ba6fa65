// SPDX-License-Identifier: Apache-2.0
import Glibc
import Protocol

/// Notices that the computer slept: one of its clocks counts sleep and the other does not.
struct SleepWatch: Hashable, Sendable {
    /// A shorter sleep changes nothing that people would not notice.
    static let least: Int64 = 30

    private var apart: TimeSpan

    /// Begins with both clocks: the one that counts sleep, and the one that stops for it.
    init(_ counting: Instant, _ stopping: Instant) { apart = counting - stopping }

    /// The seconds that the computer slept since the last call; `nil` for none worth mentioning.
    mutating func slept(_ counting: Instant, _ stopping: Instant) -> Int64? {
        let now = counting - stopping
        let seconds = (now.nanoseconds - apart.nanoseconds) / 1_000_000_000
        apart = now
        return seconds >= Self.least ? seconds : nil
    }

    #if DEBUG
        /// Seconds that a test pretends the computer slept: the number in the file that
        /// `SEATAGENT_SLEPT` names.
        static var pretended: TimeSpan {
            guard let path = getenv("SEATAGENT_SLEPT"), let file = fopen(path, "r") else {
                return .seconds(0)
            }
            defer { fclose(file) }
            var line = [CChar](repeating: 0, count: 32)
            guard fgets(&line, 32, file) != nil else { return .seconds(0) }
            return .seconds(Int64(atoi(line)))
        }
    #endif
}
