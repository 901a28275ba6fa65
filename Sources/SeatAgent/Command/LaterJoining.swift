// SPDX-License-Identifier: Apache-2.0
import Bookings
import ControlAPI
import Protocol
import Text
import Venues

/// Joins the ledger of later days as the user joined that of today: with the same answers, which go
/// to the same operator's desk. Their key is another one there, so that desk has to be told.
struct LaterJoining {
    private let call: Invocation
    /// The agent of today, and what it knows.
    private let agent: VenueAgent
    private let today: BookingPage

    init(_ call: Invocation, _ agent: VenueAgent, _ today: BookingPage) {
        self.call = call
        self.agent = agent
        self.today = today
    }

    /// Throws `not-joined` where the user has to join first.
    func check(_ page: BookingPage) throws(UserError) {
        guard needs(page) else { return }
        let slug = ShellWord.quoted(page.agent.venue.slug)
        guard page.agent.later != nil, today.facts.member != nil else {
            throw UserError(
                .notJoined, "you have not joined \(visible(page.agent.venue.name, cells: 40))",
                why: "it books for members only", advice: "seatagent venue join \(slug)")
        }
        let days = try page.agent.name().volume.text
        guard page.facts.desk != nil else {
            throw UserError(
                .notJoined, "the desk of \(days) has not been met yet",
                why: "it has to know who you are before you book there",
                advice: BookingLines.show(page.agent.venue))
        }
        guard try answers() != nil else {
            throw UserError(
                .notJoined, "the desk of \(days) does not know you",
                why: "you joined today's ledger on another computer, or its people wrote you in",
                advice: BookingLines.show(page.agent.venue))
        }
    }

    private func needs(_ page: BookingPage) -> Bool {
        page.agent.venue.rules.join != .open && page.facts.member == nil
            && (page.agent.later != nil || page.facts.desk != nil)
    }

    /// What the user said when the desk of today admitted them.
    private func answers() throws(UserError) -> [Op.SendForm.Field]? {
        try agent.ask(Op.Forms()).reply.forms
            .last { $0.kind.known == .join && $0.state.known == .admitted }?.fields
    }

    /// Tells the desk of that page who the user is, and waits until it has admitted them. Throws
    /// `not-joined` if it has not answered, and `declined`.
    func join(_ page: BookingPage) throws(UserError) {
        guard needs(page), page.agent.later != nil, let answers = try answers() else { return }
        let days = try page.agent.name().volume.text
        let client = try ControlClient(
            page.agent.place.socket, deadline: call.deadline(standard: AskWait.patience))
        _ = try client.ask(Op.Watch(events: [Word(.booking)]))
        var form = try last(client).form
        if form.map({ $0.state.known == .refused || $0.state.known == .unknown }) ?? true {
            call.hint("The desk of \(days) is told who you are, as that of today was.")
            form = try client.ask(Op.SendForm(kind: .join, fields: answers)).reply
        }
        do throws(UserError) {
            while true {
                let known = try last(client)
                if known.isMember { return }
                if let state = known.form?.state.known, state == .refused || state == .unknown {
                    throw UserError(
                        .declined, "the desk of \(days) says no",
                        why: visible(known.form?.text ?? "", cells: 200),
                        advice: BookingLines.show(page.agent.venue))
                }
                guard try client.nextEvent() != nil else { break }
            }
        } catch {
            guard error.code == .timeout else { throw error }
        }
        throw UserError(
            .notJoined, "the desk of \(days) has not admitted you yet",
            why: "your form waits for it, and goes there by itself",
            advice: BookingLines.show(page.agent.venue))
    }

    private func last(
        _ client: ControlClient
    ) throws(UserError) -> (form: FormFacts?, isMember: Bool) {
        let known = try client.ask(Op.Forms()).reply
        return (known.forms.last { $0.kind.known == .join }, known.member != nil)
    }
}
