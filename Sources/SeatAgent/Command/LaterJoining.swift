// SPDX-License-Identifier: Apache-2.0
import Bookings
import ControlAPI
import Protocol
import Text
import Venues

/// Joins the ledger of later days as the user joined that of today: with the same answers, which go
/// to the same desk. Their key is another one there, so that desk has to be told.
struct LaterJoining {
    private let call: Invocation
    /// The agent of today.
    private let agent: VenueAgent

    init(_ call: Invocation, _ agent: VenueAgent) {
        self.call = call
        self.agent = agent
    }

    /// Whether the desk of that page has admitted the user now. Throws `not-joined` if it has not
    /// answered.
    func join(_ page: BookingPage) throws(UserError) -> Bool {
        guard page.agent.venue.rules.join != .open, page.facts.desk != nil,
            page.facts.member == nil
        else { return false }
        let known = try agent.ask(Op.Forms()).reply
        let form = known.forms.last { $0.kind.known == .join && $0.state.known == .admitted }
        guard known.member != nil, let form else { return false }
        let days = try page.agent.name().volume.text
        let client = try ControlClient(
            page.agent.place.socket, deadline: call.deadline(standard: AskWait.patience))
        _ = try client.ask(Op.Watch(events: [Word(.booking)]))
        let open = try client.ask(Op.Forms()).reply.forms.contains { $0.kind.known == .join }
        if !open {
            call.hint("The desk of \(days) is told who you are, as that of today was.")
            _ = try client.ask(Op.SendForm(kind: .join, fields: form.fields))
        }
        do throws(UserError) {
            while try client.ask(Op.Forms()).reply.member == nil {
                guard try client.nextEvent() != nil else { break }
            }
            return true
        } catch {
            guard error.code == .timeout else { throw error }
            throw UserError(
                .notJoined, "the desk of \(days) has not admitted you yet",
                why: "your form waits for it, and goes there by itself",
                advice: "seatagent book "
                    + call.operands.map { ShellWord.quoted($0) }
                    .joined(separator: " "))
        }
    }
}
