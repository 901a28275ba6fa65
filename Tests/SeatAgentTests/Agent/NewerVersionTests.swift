// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SeatAgent
@testable import Text

/// Versions that other agents say they run.
@Suite("Newer versions")
struct NewerVersionTests {
    @Test("The newest that is newer than this one, by number and not by letter")
    func newest() {
        #expect(Version.newer([]) == nil)
        #expect(Version.newer(["seatagent " + Version.text, "seatagent 0.0.9"]) == nil)
        #expect(Version.newer(["seatagent 9.2.0", "seatagent 9.10.0", "x"]) == "9.10.0")
    }

    @Test(
        "What is no version of ours is none",
        arguments: [
            "", "seatagent", "seatagent 9", "seatagent 9.9", "seatagent 9.9.9.9",
            "seatagent 9.9.x", "seatagent 99999.0.0", "seatagent -1.0.0", "seatagent 9.9.9 ",
            "other 9.9.9", "seatagent 9..9", "seatagent \u{665}.0.0",
        ])
    func others(words: String) { #expect(Version.newer([words]) == nil) }
}
