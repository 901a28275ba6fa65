// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Keys
import Protocol
import System
import Text
import Venues

/// `seatagent venue announce`: the operator's agent tells the network that the venue is here.
struct VenueAnnouncing {
    private let call: Invocation

    init(_ call: Invocation) { self.call = call }

    /// How long to wait until mDNS has it.
    private static let patience = TimeSpan.seconds(8)
    private static let pause = TimeSpan.milliseconds(50)

    func announce(_ slug: String) throws(UserError) -> ExitCode {
        let known = try KnownVenues.read(call.place).named(slug)
        if call.line.has("off") { return try end(known) }
        try check(known)
        let (agent, _) = try VenueAgent(call, known).ensure(announcing: true)
        let end = SystemClock.now() + Self.patience
        while try agent.status()?.announced != true {
            guard SystemClock.now() < end else { throw try trouble(agent) }
            _ = Polling.wait(for: [], until: SystemClock.now() + Self.pause)
        }
        let code = call.finish(
            [
                "announced": .string(agent.venue.slug), "operator": .string(known.runBy.text),
                "tag": .string(known.runBy.tag),
            ],
            ["\(agent.venue.name) is announced on this network, as \(known.runBy.tag)."])
        call.hint("Others see it: seatagent venue find")
        return code
    }

    private func end(_ known: KnownVenue) throws(UserError) -> ExitCode {
        let process = try VenueProcess(call, known)
        let wasAnnounced = try process.isAnnouncing
        try process.announceNoMore()
        if try process.status()?.announced != nil {
            _ = try VenueAgent(call, known).ensure(announcing: false)
        }
        return call.finish(
            ["announced": .null],
            [
                wasAnnounced
                    ? "\(known.name) is announced no more." : "\(known.name) was not announced."
            ])
    }

    /// Throws `not-yours` unless the operator's key is here.
    private func check(_ known: KnownVenue) throws(UserError) {
        let path = call.line.value("key-file") ?? OperatorFile.path(call.place)
        guard let key = try OperatorFile.read(path) else {
            throw UserError(
                .notYours, "\(known.slug) is announced by whoever runs it",
                why: "there is no key \(visible(path)); --key-file names another file",
                advice: "seatagent help venue")
        }
        let mine = OperatorKey(key.key.raw)
        guard mine == known.runBy else {
            throw UserError(
                .notYours, "\(known.slug) is announced by whoever runs it",
                why: "the key in \(visible(path)) is \(mine.tag), that of the venue "
                    + known.runBy.tag,
                advice: "seatagent help venue")
        }
    }

    /// Why it is not announced yet.
    private func trouble(_ agent: VenueAgent) throws(UserError) -> UserError {
        let trouble = try agent.ask(Op.Status()).reply.network.trouble
        return UserError(
            .networkTrouble, "\(agent.venue.slug) is not announced yet; your agent goes on trying",
            why: trouble?.why ?? "avahi-daemon has not answered",
            advice: trouble?.advice ?? "seatagent doctor")
    }
}
