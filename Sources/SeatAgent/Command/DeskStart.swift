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
        // Whoever took over from a lost desk cannot know what else that one had begun.
        let epoch = try agent.ask(Op.Bookings()).reply.desk?.epoch ?? 1
        for later in try agent.laterAgents() {
            let days = try later.name().volume.text
            guard let there = try self.later(later, path, mayBegin: epoch == 1) else {
                lines.append(
                    "\(days): not opened, since an earlier desk may have begun it and nobody here "
                        + "knows. If none ever did: seatagent desk up "
                        + "\(ShellWord.quoted(agent.venue.slug)) --begin")
                continue
            }
            let sentence = DeskList.sentence(try there.ask(Op.Desk()).reply, there.venue)
            lines.append("\(days): \(sentence)")
        }
        let code = call.finish(status, lines)
        call.hint("\(next): seatagent desk requests")
        return code
    }

    /// The desk of later days; `nil` where a second one might begin beside one that is lost.
    private func later(
        _ agent: VenueAgent, _ path: String, mayBegin: Bool
    ) throws(UserError) -> VenueAgent? {
        if agent.hasLedgerDesk || mayBegin && !call.line.has("instead") || call.line.has("begin") {
            return try agent.ensure(announcing: false, desk: path).agent
        }
        do throws(UserError) {
            return try DeskTakeover(call, agent, path).run()
        } catch {
            guard error.code == .notAllowedNow else { throw error }
            return nil
        }
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
