// SPDX-License-Identifier: Apache-2.0
import Bookings
import ControlAPI
import Glibc
import Keys
import Protocol
import System
import Text
import Venues

/// `seatagent desk up`: starts the desk of a venue with the operator's key.
struct DeskStart {
    private let call: Invocation

    init(_ call: Invocation) { self.call = call }

    func up(_ slug: String?) throws(UserError) -> ExitCode {
        let known = try VenueAgent(call, slug ?? call.line.value("venue"), booking: true)
        let path = try key(of: known)
        guard known.venue.hasBookings else {
            throw UserError(
                .notAllowedNow, "\(visible(known.venue.name, cells: 40)) has no desk",
                why: "nothing of it is booked: no place is granted",
                advice: "seatagent help desk")
        }
        if call.line.has("instead") {
            guard let agent = try DeskTakeover(call, known, path).run() else { return .failed }
            return try opened(agent, path, "What turns up of the earlier desk")
        }
        let (agent, _) = try known.ensure(announcing: !call.line.has("no-mdns"), desk: path)
        return try opened(agent, path, "What waits")
    }

    /// Opens the desks of later days that people book already, and says how all of them stand.
    private func opened(
        _ agent: VenueAgent, _ path: String, _ next: String
    ) throws(UserError) -> ExitCode {
        let status = try agent.ask(Op.Desk())
        var lines = [DeskList.sentence(status.reply, agent.venue)]
        for later in try agent.laterAgents() {
            let there = try self.later(later, path)
            let sentence = DeskList.sentence(try there.ask(Op.Desk()).reply, there.venue)
            lines.append("\(try there.name().volume.text): \(sentence)")
        }
        let code = call.finish(status, lines)
        call.hint("\(next): seatagent desk requests")
        return code
    }

    /// The desk of later days. Where that of today took over from a lost one, theirs may be lost
    /// with it.
    private func later(_ agent: VenueAgent, _ path: String) throws(UserError) -> VenueAgent {
        if call.line.has("instead") {
            do throws(UserError) {
                if let next = try DeskTakeover(call, agent, path).run() { return next }
            } catch {
                guard error.code == .notAllowedNow else { throw error }
            }
        }
        return try agent.ensure(announcing: false, desk: path).agent
    }

    /// The file with the operator's key. Throws `not-yours` unless it is that of the venue.
    private func key(of known: VenueAgent) throws(UserError) -> String {
        let path = call.line.value("key-file") ?? OperatorFile.path(call.place)
        let slug = known.venue.slug
        guard let key = try OperatorFile.read(path) else {
            throw UserError(
                .notYours, "the desk of \(slug) is run by whoever runs the venue",
                why: "there is no key \(visible(path)); --key-file names another file",
                advice: "seatagent help desk")
        }
        let mine = OperatorKey(key.key.raw)
        guard mine == known.known.runBy else {
            throw UserError(
                .notYours, "the desk of \(slug) is run by whoever runs the venue",
                why: "the key in \(visible(path)) is \(mine.tag), that of the venue "
                    + known.known.runBy.tag,
                advice: "seatagent help desk")
        }
        // The agent runs in another folder.
        guard let whole = realpath(path, nil) else {
            throw UserError(
                .file, "\(visible(path)) cannot be found", advice: "seatagent help desk")
        }
        defer { free(whole) }
        return String(cString: whole)
    }
}
