// SPDX-License-Identifier: Apache-2.0
import Bookings
import ControlAPI
import DeskShell
import Grammar
import Protocol
import System
import Text
import Venues

/// Who joins a venue, and its members, at its desk.
struct DeskPeople {
    let call: Invocation
    let agent: VenueAgent

    init(_ call: Invocation, _ agent: VenueAgent) {
        self.call = call
        self.agent = agent
    }

    // MARK: Forms

    /// By what a form is named on a command line.
    static func code(_ form: DeskForm) -> String {
        String(Base32.encode((bytes(hexadecimal: form.id) ?? []).prefix(5)).uppercased())
    }

    private func request(_ form: DeskForm) -> JoinRequest? {
        try? JoinRequest(form.fields.map { ($0.number, $0.text) }, of: agent.venue)
    }

    /// A line for each form that waits.
    func lines(_ forms: [DeskForm]) throws(UserError) -> [String] {
        forms.map { form in
            if let line = DeskPermits.line(form) { return line }
            let request = request(form)
            let parts =
                [request?.name, request?.mail, request?.card, request?.answers[.suite]]
                .compactMap(\.self).map { visible($0, cells: 40) }
            return "\(Self.code(form))  \(form.who.tag)  wants to join: "
                + (parts.isEmpty ? "nobody can read it" : parts.joined(separator: ", "))
        }
    }

    private func form(_ word: String, _ forms: [DeskForm]) -> DeskForm? {
        guard let code = BookingCode.typed(word) else { return nil }
        let found = forms.filter { Self.code($0).hasPrefix(code) }
        return found.count == 1 ? found[0] : nil
    }

    /// Refuses a form; `nil` if the code is none of a form.
    func refuse(_ word: String, _ forms: [DeskForm]) throws(UserError) -> ExitCode? {
        guard let form = form(word, forms) else { return nil }
        let done = try agent.ask(
            Op.DeskDecide(
                key: form.who.key, form: form.id, admit: false,
                text: call.line.value("for-note") ?? "the desk says no"))
        return call.finish(done, ["Refused: \(DeskList.who(form.who))"])
    }

    /// Makes somebody a member whose card the people at the desk have seen; a member with another
    /// key is moved to the new one.
    func admit(_ word: String) throws(UserError) -> ExitCode {
        let status = try agent.ask(Op.Desk()).reply
        let found = form(word, status.forms)
        if let found, let car = DeskPermits.answers(found) {
            return try DeskPermits(call, agent).admit(found, car, status)
        }
        guard let form = found, let request = request(form) else {
            throw UserError(
                .noSuchRecord, "no form has the code \(visible(word, cells: 20))",
                advice: "seatagent desk requests")
        }
        let known = try MemberBook.read(agent.place).member(who: request.who)
        if let known, status.members.contains(where: { $0.number == known.number }) {
            let done = try agent.ask(Op.DeskMove(number: known.number, to: form.who.key))
            _ = try agent.ask(
                Op.DeskDecide(
                    key: form.who.key, form: form.id, admit: true,
                    text: "you are member \(known.number) again"))
            return call.finish(
                done, ["Moved: member \(known.number) has the key \(form.who.tag) now"])
        }
        let memberClass = try memberClass(mail: request.mail, number: request.card)
        let member = try MemberBook.change(agent.place) { (book) throws(UserError) in
            try book.admit(
                who: request.who, name: request.name, mail: request.mail, card: request.card,
                suite: request.answers[.suite], above: status.members.last?.number ?? 0)
        }
        let done = try agent.ask(
            Op.DeskMember(number: member.number, memberClass: memberClass, who: form.who.key))
        let name = agent.venue.memberClass(memberClass).name
        _ = try agent.ask(
            Op.DeskDecide(key: form.who.key, form: form.id, admit: true, text: name))
        return call.finish(
            done,
            ["Admitted: \(visible(member.name, cells: 40)), member \(member.number), \(name)"])
    }

    /// The class that was typed, or the one that their card shows.
    func memberClass(mail: String?, number: String?) throws(UserError) -> Int {
        let classes = agent.venue.classes
        if let word = call.line.value("class") {
            if let found = classes.firstIndex(where: { $0.name.lowercased() == word.lowercased() })
            {
                return found
            }
            throw UserError(
                .usage, "there is no class \(visible(word, cells: 30))",
                why: "there are "
                    + classes.map { visible($0.name, cells: 20) }
                    .joined(separator: ", "), advice: "seatagent help desk")
        }
        let found = classes.dropLast().firstIndex { one in
            one.fits(mail: mail, number: number)
        }
        return found ?? classes.count - 1
    }

    // MARK: Members

    func members(_ words: [String]) throws(UserError) -> ExitCode {
        guard let first = words.first else { return try list() }
        switch MembersWord(rawValue: first) {
        case .import: return try roster(words)
        case .move: return try move(words)
        case .change: return try change(words)
        case .forget: return try forget(words)
        case .find: return try DeskPermits(call, agent).find(words)
        case nil:
            throw UserError(
                .usage, "desk members has no \(visible(first, cells: 20))",
                why: "it has " + MembersWord.words.joined(separator: ", "),
                advice: "seatagent desk members")
        }
    }

    private func list() throws(UserError) -> ExitCode {
        let status = try agent.ask(Op.Desk()).reply
        let book = try MemberBook.read(agent.place)
        let lines = status.members.map { member in
            let known = book.member(member.number)
            let parts = [
                String(member.number), agent.venue.memberClass(member.memberClass).name,
                Self.said(known?.name, cells: 30), Self.said(known?.mail, cells: 40),
                known.map(DeskPermits.cars) ?? "",
                member.keys.compactMap { bytes(hexadecimal: $0).flatMap { PeerKey($0) } }
                    .map(\.shortTag).joined(separator: " "),
            ]
            return parts.filter { !$0.isEmpty }.joined(separator: "  ")
        }
        let json = status.members.map { member in
            JSON(member).adding(["said": book.member(member.number)?.json ?? .null])
        }
        return call.finish(
            ["members": .array(json)], lines.isEmpty ? ["Nobody has joined yet."] : lines)
    }

    /// What a member said; `-` for nothing.
    private static func said(_ text: String?, cells: Int) -> String {
        guard let text, !text.isEmpty else { return "-" }
        return visible(text, cells: cells)
    }

    private func roster(_ words: [String]) throws(UserError) -> ExitCode {
        guard words.count == 2 else {
            throw UserError(
                .usage, "desk members import wants a file",
                advice: "seatagent desk members import roster.csv")
        }
        guard let bytes = try PrivateFile.read(words[1], limit: Roster.fileLimit) else {
            throw UserError(
                .file, "\(visible(words[1], cells: 60)) is not there",
                advice: "seatagent desk members import roster.csv")
        }
        let roster = try Roster.imported(bytes, words[1], of: agent.venue)
        try roster.write(agent.place)
        return call.finish(
            ["people": .int(roster.entries.count)],
            ["The roster has \(roster.entries.count) people. It stays on this computer."])
    }

    private func move(_ words: [String]) throws(UserError) -> ExitCode {
        guard words.count == 3, let number = Int(words[1]) else {
            throw UserError(
                .usage, "desk members move wants a number and a tag",
                advice: "seatagent desk members move 217 '#c2d9'")
        }
        let status = try agent.ask(Op.Desk()).reply
        let known =
            status.forms.map(\.who.key) + status.requests.map(\.who.key)
            + (try agent.ask(Op.Peers()).reply.peers.map(\.key))
        let move = try MemberMove(
            number, to: words[2],
            known: known.compactMap { bytes(hexadecimal: $0).flatMap { PeerKey($0) } },
            members: status.members.map { member in
                (
                    member.number,
                    member.keys.compactMap { bytes(hexadecimal: $0).flatMap { PeerKey($0) } }
                )
            })
        let done = try agent.ask(Op.DeskMove(number: move.number, to: hexadecimal(move.key.bytes)))
        let count = done.reply.bookings.count
        var lines = [
            "Moved: member \(number) has the key \(move.key.shortTag) now, and \(count) "
                + (count == 1 ? "booking" : "bookings")
        ]
        if !done.reply.stay.isEmpty {
            lines.append(
                "\(done.reply.stay.count) of them are bound by a swap and stay with the old key")
        }
        return call.finish(done, lines)
    }

    /// Notes what a member showed at the counter.
    private func change(_ words: [String]) throws(UserError) -> ExitCode {
        let line = "seatagent desk members change 217 mail els@example.org"
        guard words.count == 4, let number = Int(words[1]),
            let field = [JoinField.mail, .name, .number].first(where: { $0.word == words[2] })
        else {
            throw UserError(
                .usage, "desk members change wants a number, mail, name or number, and what it is",
                advice: line)
        }
        var answers = JoinAnswers(agent.venue)
        do throws(FormFault) {
            try answers.take(field, words[3])
        } catch {
            throw UserError(.usage, "that is no \(field.word)", why: error.sentence, advice: line)
        }
        let text = answers[field] ?? words[3]
        let member = try MemberBook.change(agent.place) {
            (book) throws(UserError) -> MemberBook.Member? in
            if field == .mail {
                try book.move(number, to: text)
            } else {
                try book.change(number) { member in
                    if field == .name { member.name = text } else { member.card = text }
                }
            }
            return book.member(number)
        }
        return call.finish(
            member?.json ?? .null,
            ["Changed: member \(number), \(field.word) \(visible(text, cells: 60))"])
    }

    private func forget(_ words: [String]) throws(UserError) -> ExitCode {
        guard words.count == 2, let number = Int(words[1]) else {
            throw UserError(
                .usage, "desk members forget wants a number",
                advice: "seatagent desk members forget 217")
        }
        try MemberBook.change(agent.place) { (book) throws(UserError) in try book.forget(number) }
        return call.finish(
            ["forgotten": .int(number)],
            ["Deleted here: what member \(number) said. The number stays theirs in the ledger."])
    }
}
