// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import DeskShell
import Glibc
import Profile
import Protocol
import System
import Text
import Venues

/// `seatagent desk backup` and `desk restore`: a folder with all that a desk is, but for the
/// operator's key.
struct DeskBackup {
    let call: Invocation
    let agent: VenueAgent

    init(_ call: Invocation, _ agent: VenueAgent) {
        self.call = call
        self.agent = agent
    }

    /// The files beside the ledger's.
    private static let lists = ["members.json", "roster.csv"]
    /// What the ledger is called in the folder, that of today or that of later days.
    private static func ledger(_ later: Volume?) -> String {
        later.map { "ledger@\($0.text).db" } ?? "ledger.db"
    }
    /// Bytes of one file at most: a full ledger has less than half of that.
    private static let limit = 128 << 20

    // MARK: Writing

    func write() throws(UserError) -> ExitCode {
        guard let folder = call.line.value("to") else {
            throw UserError(
                .usage, "say where the copy goes", advice: "seatagent desk backup --to rec-backup")
        }
        let words = visible(folder, cells: 60)
        // Under another name until it is whole.
        let draft = folder + ".part"
        guard access(folder, F_OK) != 0 else {
            throw UserError(
                .file, "there is something at \(words)", why: "a copy goes into a new folder",
                advice: "seatagent desk backup --to \(ShellWord.quoted(folder + "-2"))")
        }
        let later = try agent.laterDesks()
        for one in try agent.laterAgents() where !later.contains(where: { $0.later == one.later }) {
            guard one.hasLedgerDesk else { continue }
            throw UserError(
                .notAllowedNow, "the desk of \(try one.name().volume.text) does not run",
                why: "the copy would be without its ledger",
                advice: "seatagent desk up \(ShellWord.quoted(agent.venue.slug))")
        }
        Self.remove(draft, later)
        guard mkdir(draft, 0o700) == 0, let whole = realpath(draft, nil) else {
            throw UserError(
                .file, "\(words) cannot be made", why: String(cString: strerror(errno)),
                advice: "seatagent desk backup --to rec-backup")
        }
        defer { free(whole) }
        let path = String(cString: whole)
        for one in [agent] + later {
            _ = try one.ask(Op.DeskBackup(to: path + "/" + Self.ledger(one.later)))
        }
        for list in Self.lists {
            guard let bytes = try PrivateFile.read(agent.place.dataDirectory + "/" + list) else {
                continue
            }
            try PrivateFile.write(bytes, to: path + "/" + list, durably: true)
        }
        try PrivateFile.write(
            Array((try agent.name().text + "\n").utf8), to: path + "/venue", durably: true)
        guard rename(draft, folder) == 0 else {
            throw UserError(
                .file, "\(words) cannot be made", why: String(cString: strerror(errno)))
        }
        let status = try agent.ask(Op.Desk()).reply
        let code = call.finish(
            ["folder": .string(folder), "pages": .int(status.entries)],
            [
                "Copied: the ledger up to page \(status.entries), the members and the roster, to "
                    + "\(words)"
            ])
        call.hint("Whoever has the copy and the operator's key can be the desk: keep both.")
        return code
    }

    private static func remove(_ folder: String, _ later: [VenueAgent]) {
        let ledgers = [ledger(nil)] + later.map { ledger($0.later) }
        for name in lists + ledgers + ["venue"] { unlink(folder + "/" + name) }
        rmdir(folder)
    }

    // MARK: Putting it back

    static func restore(_ call: Invocation, _ slug: String?) throws(UserError) -> ExitCode {
        let known = try VenueAgent(call, slug ?? call.line.value("venue"), booking: true)
        let line = "seatagent desk restore \(ShellWord.quoted(known.venue.slug)) --from "
        guard let folder = call.line.value("from") else {
            throw UserError(.usage, "say where the copy is", advice: line + "rec-backup")
        }
        let name = try known.name()
        let bytes = try ledger(in: folder, of: name, line)
        let place = known.place
        var copies = [(path: path(name, in: place), bytes: bytes)]
        for later in try known.laterAgents() {
            let found = try PrivateFile.read(folder + "/" + ledger(later.later), limit: limit)
            if let found { copies.append((path(try later.name(), in: place), found)) }
        }
        guard try known.status() == nil, try known.laterRunning().isEmpty else {
            throw UserError(
                .notAllowedNow, "an agent of \(known.venue.slug) runs",
                why: "its files are not replaced under it",
                advice: "seatagent venue leave \(ShellWord.quoted(known.venue.slug))")
        }
        let there = copies.map(\.path).filter { access($0, F_OK) == 0 }
        if !there.isEmpty {
            let question = "There are records of \(name.volume.text) here. They are set aside."
            guard call.line.has("yes") || call.mayAsk else {
                throw UserError(
                    .usage, "nothing is replaced without a yes", why: question,
                    advice: line + ShellWord.quoted(folder) + " --yes")
            }
            if !call.line.has("yes") {
                call.say(question)
                guard call.confirm("Put the copy in their place?") else {
                    call.hint("Nothing was changed.")
                    return .failed
                }
            }
            for path in there {
                for part in ["", "-wal", "-shm", "-journal"] {
                    rename(path + part, path + part + ".lost")
                }
            }
        }
        try PrivateFile.makeDirectory(place.dataDirectory)
        for list in lists {
            guard let bytes = try PrivateFile.read(folder + "/" + list) else { continue }
            try PrivateFile.write(bytes, to: place.dataDirectory + "/" + list, durably: true)
        }
        for copy in copies { try PrivateFile.write(copy.bytes, to: copy.path, durably: true) }
        let code = call.finish(
            ["restored": .string(known.venue.slug)],
            ["Put back: the desk of \(visible(known.venue.name, cells: 60))"])
        call.hint("Next: seatagent desk up \(ShellWord.quoted(known.venue.slug))")
        return code
    }

    private static func path(_ name: VenueName, in place: ProfilePlace) -> String {
        place.dataDirectory + "/" + FlightFile.name(.venue(name))
    }

    /// The ledger of a folder. Throws `file` if it is none of that venue and volume.
    private static func ledger(
        in folder: String, of name: VenueName, _ line: String
    ) throws(UserError) -> [UInt8] {
        let words = visible(folder, cells: 60)
        let said = try PrivateFile.read(folder + "/venue", limit: 4096)
        let text = said.map { bytes in
            String(String(decoding: bytes, as: UTF8.self).prefix { !$0.isNewline })
        }
        let copied = text.flatMap { VenueName($0) }
        // What was the ledger of later days then may be that of today.
        let isToday = copied == name
        let file = folder + "/" + ledger(isToday ? nil : name.volume)
        guard text != nil, let bytes = try PrivateFile.read(file, limit: limit),
            copied?.slug == name.slug, copied?.runBy == name.runBy
        else {
            guard let text else {
                throw UserError(
                    .file, "there is no copy of a desk in \(words)",
                    why: "`desk backup` makes one", advice: line + "rec-backup")
            }
            throw UserError(
                .file, "the copy in \(words) is of something else",
                why: "it is of \(visible(text, cells: 80)), and today belongs to "
                    + visible(name.text, cells: 80),
                advice: "seatagent venue show \(ShellWord.quoted(name.slug))")
        }
        return bytes
    }
}
