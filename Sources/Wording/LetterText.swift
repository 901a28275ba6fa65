// SPDX-License-Identifier: Apache-2.0
package import ControlAPI
import Text

/// The words for what lies at the meeting point while somebody is away.
package enum LetterText {
    /// Where a request, an answer or a message is: `left at the meeting point`.
    static func place(_ state: Word<LetterState>) -> String {
        switch state {
        case .known(.left): "left at the meeting point"
        case .known(.waits), .other: "it will be left at the meeting point"
        }
    }

    /// What `swap` says of a request to somebody who is away; `nil` where it reached them.
    package static func asked(_ request: SwapRequest) -> String? {
        guard request.letter != nil else { return nil }
        let end = request.expires.map { " until \(EventText.clock($0))" } ?? ""
        return "\(away(request.with)) not online; it waits at the meeting point\(end)."
    }

    /// What `accept` says of a yes that waits for the asker.
    package static func answered(_ request: SwapRequest) -> String? {
        guard request.letter != nil, request.state == .agreed else { return nil }
        return "Your answer waits at the meeting point. It binds nothing: keep your agent running, "
            + "and it goes through when both of you are online."
    }

    /// What `msg` says of one that waits.
    package static func message(_ message: PrivateMessage) -> String {
        guard message.letter != nil else { return "waiting until it arrives" }
        return "not online; it waits at the meeting point"
    }

    private static func away(_ people: [Person]) -> String {
        guard people.count == 1, let one = people.first else {
            return "Not all of them are online:"
        }
        return WhoText.tagged(one) + " is"
    }
}

extension SwapRequest {
    /// Where it is, and what was left in answer, for a line of the user's own request; empty for
    /// nothing.
    var word: String {
        if let until = wouldDo {
            let who = with.first.map { WhoText.tagged($0) } ?? "they"
            return "\(who) would do this until \(EventText.clock(until)); keep your agent running"
        }
        return letter.map(LetterText.place) ?? ""
    }
}
