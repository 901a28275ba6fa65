// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Glibc
import Protocol
import System
import Text
import Wording

/// What somebody is told of their meeting point when their agent has just started.
enum MeetingGreeting {
    /// It is known by then, or said later.
    private static let patience = TimeSpan.seconds(2)

    /// One line, if a meeting point is used; waits for a moment until it is known who is there.
    static func lines(_ status: AgentStatus, _ call: Invocation) throws(UserError) -> [String] {
        guard var meeting = status.meeting else { return [] }
        let end = SystemClock.now() + patience
        // A script is told at once what is known: it may ask for the status as often as it likes.
        while !call.json, !meeting.read, meeting.trouble == nil, SystemClock.now() < end {
            usleep(50_000)
            guard let now = try call.ask(Op.Status()).meeting else { return [] }
            meeting = now
        }
        return [MeetingText.greeting(meeting)]
    }

    /// Says what it can find out about somebody without a code.
    static func warn(_ status: AgentStatus, _ call: Invocation) {
        guard status.meeting != nil, !status.flight.gated else { return }
        call.hint(MeetingText.warning)
    }
}
