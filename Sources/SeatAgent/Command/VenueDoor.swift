// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Launch
import Owner
import Protocol
import Text
import Venues
import View

/// `seatagent venue open` and `leave`: the agent of a venue.
struct VenueDoor {
    let call: Invocation

    init(_ call: Invocation) { self.call = call }

    /// Starts the agent of a venue, if none runs, and shows its page: on the whole screen where
    /// there is one, else as lines.
    func open(_ slug: String) throws(UserError) -> ExitCode {
        let (agent, status) = try VenueAgent.arriving(call, slug).ensure()
        if !call.line.has("plain"), ViewCommand.hasScreen(call) { return try show(agent) }
        let text = VenueText(agent.venue, now: agent.clock)
        let others = status.linked == 1 ? "1 other agent" : "\(status.linked) other agents"
        let code = call.finish(
            JSON(status),
            ["\(agent.venue.name), \(status.volume): \(others) within reach."]
                + (text.state.map { ["It is \($0)."] } ?? [])
                + Self.counts(agent.venue, status).map { "  " + $0 })
        if !status.isIn, let place = agent.venue.places.first(where: { $0.mode == .counted }) {
            call.hint("Say where you are: seatagent checkin \(ShellWord.quoted(place.name))")
        }
        return code
    }

    /// The page of a venue on the whole screen, until the user leaves it.
    func show(_ agent: VenueAgent) throws(UserError) -> ExitCode {
        var there = call
        there.place = agent.place
        let wantsLeave = try ViewCommand.view(there, finding: finding)
        return wantsLeave ? try leave(agent.venue.slug) : .done
    }

    /// Whether the user has said if friends may find them. A sealed profile says nothing: it has to
    /// be opened first, as the check-in says.
    private var finding: VenueScene.Finding {
        guard let book = try? FriendBook.read(call.place), book.isFindable == nil,
            let details = try? OwnerDetails.read(call.place)
        else { return .decided }
        return .unasked(address: details[.mail])
    }

    /// Ends the agent of a venue. What it said of its user stays with the others until the day is
    /// over.
    func leave(_ slug: String) throws(UserError) -> ExitCode {
        let known = try KnownVenues.read(call.place).named(slug)
        let process = try VenueProcess(call, known)
        // Whoever comes back later announces nothing by themselves.
        try process.announceNoMore()
        guard let status = try leaving(process) else {
            throw UserError(
                .noAgent, "no agent of \(known.slug) runs",
                advice: "seatagent venue open \(ShellWord.quoted(known.slug))")
        }
        for one in try process.all() { try one.stop() }
        let code = call.finish(
            ["left": .string(known.slug)], ["You left \(known.name)."])
        if status.isIn {
            call.hint("Others still count you there until it closes: seatagent checkout")
        }
        return code
    }

    /// What the agent of a venue knows before it ends, or else that of later days.
    private func leaving(_ process: VenueProcess) throws(UserError) -> VenueStatus? {
        for one in try process.all() {
            if let status = try one.status() { return status }
        }
        return nil
    }

    /// Prints how full each place is, and again after each change, until it is stopped: for a
    /// screen at the door.
    func follow(_ slug: String) throws(UserError) -> ExitCode {
        let (agent, status) = try VenueAgent(call, slug).ensure()
        let client = try ControlClient(agent.place.socket, deadline: call.deadline())
        _ = try client.ask(Op.Watch(events: [Word(.attendance)]))
        client.output = 1
        show(agent, status)
        while let told = try client.nextEvent() {
            guard case .attendance(let news) = told.event.what else { continue }
            if call.json {
                call.session.console.out(told.json.line)
            } else {
                var status = status
                status.places = news.places
                show(agent, status)
            }
        }
        if client.isReaderGone { return .done }
        if try agent.name().volume.text != status.volume {
            call.say("\(status.volume) is over.")
            call.hint("Today: seatagent venue show \(ShellWord.quoted(agent.venue.slug)) --follow")
            return .done
        }
        throw UserError(
            .noAgent, "the agent of \(agent.venue.slug) has gone", why: "it closed the stream",
            advice: "seatagent venue open \(ShellWord.quoted(agent.venue.slug))")
    }

    private func show(_ agent: VenueAgent, _ status: VenueStatus) {
        call.say("\(agent.venue.name)  \(agent.clock?.clock ?? "")")
        for line in Self.counts(agent.venue, status) { call.say("  " + line) }
    }

    /// A line for each place that is counted.
    static func counts(_ venue: Venue, _ status: VenueStatus) -> [String] {
        let places = venue.places.filter { $0.mode == .counted }
        let width = places.map { cellWidth($0.name) }.max() ?? 0
        return places.map { place in
            padded(place.name, to: width + 2)
                + CheckCommand.free(status.people(at: place.id), place)
        }
    }
}
