// SPDX-License-Identifier: Apache-2.0
import Glibc
import Profile
import Protocol
import Testing

@testable import Bookings
@testable import DeskShell
@testable import System
@testable import Text
@testable import Venues

@Suite("R3: the roster, and who joins as what")
struct RosterTests {
    private let venue: Venue

    init() throws { venue = try VenueFiles.venue(.courts) }

    private func roster(_ text: String) throws -> Roster {
        try Roster(csv: Array(text.utf8), of: venue)
    }

    private func fault(_ text: String, _ venue: Venue? = nil) -> String {
        do throws(FormFault) {
            _ = try Roster(csv: Array(text.utf8), of: venue ?? self.venue)
        } catch {
            return error.sentence
        }
        return ""
    }

    private let head = "mail,number,name,class\n"

    @Test("Both address and number make somebody of the class, in any case and order of columns")
    func pairs() throws {
        let roster = try roster(
            "\u{FEFF}Number, class ,MAIL,name\r\n"
                + "919123456,Student,S12345@nwmissouri.edu,\"Ada, \"\"A\"\"\"\r\n"
                + "919000001,,s00001@nwmissouri.edu,\r\n")
        #expect(roster.entries.map(\.mail) == ["s12345@nwmissouri.edu", "s00001@nwmissouri.edu"])
        #expect(roster.entries[0].name == "Ada, \"A\"" && roster.entries[1].name == nil)
        #expect(roster.entries.map(\.memberClass) == ["student", "student"])
        #expect(roster.entry(mail: "S12345@NWmissouri.edu", number: "919123456") != nil)
        #expect(roster.entry(mail: "s12345@nwmissouri.edu", number: "919000001") == nil)
        #expect(roster.entry(mail: "s99999@nwmissouri.edu", number: "919123456") == nil)
        #expect(try self.roster(roster.csv) == roster)
        #expect(try self.roster("number,mail\n919123456,s12345@nwmissouri.edu").entries.count == 1)
    }

    @Test("What is wrong is named with its line")
    func faults() throws {
        let ada = "s12345@nwmissouri.edu,919123456,Ada,student\n"
        #expect(fault("").hasPrefix("line 1: the header mail,number,name,class is missing"))
        #expect(fault(head).hasPrefix("line 1: nobody follows"))
        #expect(fault("mail,name\n").contains("column number is missing"))
        #expect(fault("mail,number,mail\n").contains("column mail is there twice"))
        #expect(fault("mail;number\n").contains("no column is called \"mail;number\""))
        #expect(fault(head + "a,919123456,,\n").hasPrefix("line 2, mail: it has 0 @"))
        #expect(fault(head + ada + "\r\n" + ada).hasPrefix("line 4: line 2 has that address too"))
        let other = "s11111@nwmissouri.edu,919123456,,\n"
        #expect(fault(head + ada + other).hasPrefix("line 3: line 2 has that number too"))
        #expect(
            fault(head + "s12345@nwmissouri.edu,12,,\n").contains("no class has such an address"))
        #expect(
            fault(head + "ada@x.org,919123456,,student\n").hasPrefix("line 2, class: an address"))
        #expect(fault(head + "ada@x.org,919123456,,guest\n").contains("no class with a roster"))
        #expect(fault(head + "a@b.c,1\n") == "line 2: it has 2 fields, and the header 4")
        #expect(fault(head + "\"a@b.c,1,2,3\n").contains("never closed"))
        #expect(
            fault(head + "s12345@nwmissouri.edu,919123456,a\u{1B}b,\n").contains("cannot be seen"))
        let long = String(repeating: "a", count: 121)
        #expect(fault(head + "s12345@nwmissouri.edu,919123456,\(long),\n").contains("121 bytes"))
        #expect(fault(head, try VenueFiles.venue(.rental)).contains("no class of DreamLand Gent"))
        #expect(fault(head + "\u{FFFD}") != "")
    }

    @Test("A file has a limit, and a large one is read in time")
    func limits() throws {
        var text = head
        for number in 0..<20_000 {
            let digits = String(100_000 + number)
            text += "s\(digits.suffix(5))@nwmissouri.edu,919\(digits),,\n"
        }
        let roster = try roster(text)
        #expect(roster.entries.count == 20_000)
        #expect(roster.entry(mail: "s19999@nwmissouri.edu", number: "919119999") != nil)
        #expect(fault(String(repeating: "\n", count: Roster.fileLimit + 1)).contains("are allowed"))
    }

    // MARK: Joining

    private func request(_ mail: String, _ number: String? = nil) throws -> JoinRequest {
        var fields = [(0, "Ada"), (1, mail)]
        if let number { fields.append((2, number)) }
        return try JoinRequest(fields.map { (number: $0.0, text: $0.1) }, of: venue)
    }

    private func decision(
        _ request: JoinRequest, _ members: MemberBook = MemberBook(), keys: Set<Int> = []
    ) throws -> JoinDecision {
        let roster = try roster(head + "s12345@nwmissouri.edu,919123456,Ada,student\n")
        return JoinDecision(request, of: venue, roster, members) { keys.contains($0) }
    }

    @Test("The pair makes a student; the address alone, or another's number, a guest")
    func classes() throws {
        #expect(
            try decision(request("S12345@nwmissouri.edu", "919123456")) == .admit(memberClass: 0))
        #expect(
            try decision(request("s12345@nwmissouri.edu", "919000000")) == .admit(memberClass: 1))
        #expect(
            try decision(request("s54321@nwmissouri.edu", "919123456")) == .admit(memberClass: 1))
        #expect(try decision(request("ada@x.org")) == .admit(memberClass: 1))
    }

    @Test("Whoever has a key here is looked at; in a new volume they keep their number")
    func known() throws {
        var members = MemberBook()
        let number = try members.admit(
            who: "s12345@nwmissouri.edu", name: "Ada", mail: "s12345@nwmissouri.edu",
            card: "919123456", suite: nil
        ).number
        let again = try request("S12345@nwmissouri.edu", "919123456")
        #expect(try decision(again, members, keys: [number]) == .known(number: number))
        #expect(try decision(again, members) == .admit(memberClass: 0))
        #expect(members.member(who: again.who)?.number == number)
    }

    @Test("Visitors of one suite are one member, with a key each")
    func suites() throws {
        let bays = try VenueFiles.venue(.parking)
        var members = MemberBook()
        func request(_ mail: String) throws -> JoinRequest {
            try JoinRequest([(0, "Ada"), (1, mail), (3, "12b")], of: bays)
        }
        let one = try request("a@b.c")
        #expect(try request("x@y.z").who == one.who && one.who == "12B")
        try members.admit(who: one.who, name: "Ada", mail: "a@b.c", card: nil, suite: "12B")
        let other = JoinDecision(try request("x@y.z"), of: bays, Roster(), members) { $0 == 1 }
        #expect(other == .admit(memberClass: 0))
    }

    @Test("By word a pattern is enough, by card the desk looks")
    func proofs() throws {
        func venue(_ proof: String?, _ join: String) throws -> Venue {
            var one: [String: JSON] = ["name": "member", "number": "7##"]
            if let proof { one["proof"] = .string(proof) }
            return try Venue(
                json: VenueFiles.least.adding([
                    "classes": [.object(one), ["name": "all"]], "rules": ["join": .string(join)],
                ]))
        }
        func decision(_ venue: Venue, _ number: String?, _ members: MemberBook = MemberBook())
            throws -> JoinDecision
        {
            var fields: [(number: Int, text: String)] = [(0, "Ada"), (1, "ada@x.org")]
            if let number { fields.append((2, number)) }
            return JoinDecision(
                try JoinRequest(fields, of: venue), of: venue, Roster(), members
            ) { _ in false }
        }
        let word = try venue("word", "form")
        #expect(try decision(word, "712") == .admit(memberClass: 0))
        #expect(try decision(word, nil) == .admit(memberClass: 1))
        #expect(try decision(venue(nil, "form"), "712") == .admit(memberClass: 0))
        #expect(try decision(venue("card", "form"), "712") == .look(card: 0))
        #expect(try decision(venue("card", "form"), nil) == .admit(memberClass: 1))
        #expect(try decision(venue("word", "card"), "712") == .look(card: 0))
        #expect(try decision(venue("word", "card"), nil) == .look(card: 1))
        // Somebody else has that number.
        var members = MemberBook()
        try members.admit(who: "bo@x.org", name: "Bo", mail: "bo@x.org", card: "712", suite: nil)
        #expect(try decision(word, "712", members) == .admit(memberClass: 1))
    }

    @Test("A form is read as strictly as whoever typed it was asked")
    func forms() throws {
        func fault(_ fields: [(number: Int, text: String)]) -> String {
            do throws(FormFault) {
                _ = try JoinRequest(fields, of: venue)
            } catch {
                return error.sentence
            }
            return ""
        }
        #expect(fault([]) == "name: it is missing")
        #expect(fault([(0, "Ada")]) == "mail: it is missing")
        #expect(fault([(0, "Ada"), (1, "a@b.c"), (9, "x")]) == "field 9: nobody asks for it")
        #expect(fault([(0, "Ada"), (1, "a@b.c"), (0, "Bo")]) == "name: it is there twice")
        #expect(fault([(0, "Ada"), (1, "a@b.c"), (2, "919123456")]).contains("does not ask"))
        #expect(fault([(0, "Ada"), (1, "s12345@nwmissouri.edu")]) == "number: it is missing")
        // The order of fields is nobody's.
        let student: [(number: Int, text: String)] = [
            (2, "919123456"), (1, "s12345@nwmissouri.edu"), (0, "Ada"),
        ]
        #expect(fault(student) == "")
    }

    @Test("The table has a row for each form, cut and safe")
    func table() throws {
        let key = try #require(PeerKey([UInt8](repeating: 7, count: 32)))
        let rows = [
            FormRow(
                number: 1, key: key, at: UTCTime(seconds: 0),
                request: try request("s12345@nwmissouri.edu", "919123456"),
                decision: .look(card: 0)),
            FormRow(number: 2, key: key, at: UTCTime(seconds: 0), request: nil, decision: nil),
        ]
        let lines = FormTable.lines(rows, of: venue)
        #expect(lines.count == 3 && lines[1].hasSuffix("look at the card: student"))
        #expect(lines[1].contains("s12345@nwmissouri.edu") && lines[2].contains("nobody can read"))
        #expect(rows[0].json(venue)["class"] == "student" && rows[1].json(venue)["mail"] == nil)
        #expect(FormTable.lines([], of: venue) == ["No form waits."])
    }

    // MARK: Files

    @Test("Roster and members are private files, and damaged ones are left as they are")
    func files() throws {
        var name = Array("/tmp/seatagent-desk.XXXXXX".utf8CString)
        let folder = try #require(mkdtemp(&name).map { String(cString: $0) })
        let place = try ProfilePlace(
            profile: .standard, environment: ["HOME": folder, "XDG_DATA_HOME": folder])
        defer {
            for file in ["roster.csv", "members.json", "members.lock"] {
                unlink("\(place.dataDirectory)/\(file)")
            }
            for path in [place.dataDirectory, "\(folder)/seatagent", folder] { rmdir(path) }
        }
        #expect(try Roster.read(place, of: venue) == Roster())
        let roster = try roster(head + "s12345@nwmissouri.edu,919123456,Ada,student\n")
        try roster.write(place)
        #expect(try Roster.read(place, of: venue) == roster)
        var facts = stat()
        #expect(stat("\(place.dataDirectory)/roster.csv", &facts) == 0)
        #expect(facts.st_mode & 0o777 == 0o600)
        #expect(throws: UserError.self) {
            try Roster.read(place, of: try VenueFiles.venue(.rental))
        }
        #expect(try MemberBook.read(place) == MemberBook())
        try MemberBook.change(place) { (book) throws(UserError) in
            try book.admit(who: "a@b.c", name: "A", mail: "a@b.c", card: nil, suite: nil)
        }
        #expect(try MemberBook.read(place).members.map(\.number) == [1])
        let path = "\(place.dataDirectory)/members.json"
        try PrivateFile.write(Array("{".utf8), to: path)
        #expect(throws: UserError.self) { try MemberBook.read(place) }
        #expect(try PrivateFile.read(path) == Array("{".utf8))
    }

    @Test("Members keep their numbers, and what is stored reads as the same")
    func members() throws {
        var book = MemberBook()
        try book.admit(who: "a@b.c", name: "A", mail: "A@b.c", card: "7", suite: nil)
        try book.admit(who: "b@b.c", name: "B", mail: "b@b.c", card: nil, suite: "12")
        let again = try book.admit(who: "a@b.c", name: "Ada", mail: "a@b.c", card: nil, suite: nil)
        #expect(again.number == 1 && again.card == "7" && book.members.count == 2)
        #expect(try MemberBook(json: book.json) == book)
        try book.forget(1)
        let new = try book.admit(who: "c@b.c", name: "C", mail: "c@b.c", card: nil, suite: nil)
        #expect(new.number == 3 && book.member(1) == nil && book.member(3)?.name == "C")
        try book.change(3) { $0.name = "Cy" }
        #expect(book.member(3)?.name == "Cy" && book.member(card: "7") == nil)
        // The one by whose address the desk knows them.
        try book.move(3, to: "C@new.example")
        #expect(book.member(who: "c@new.example")?.number == 3 && book.member(who: "c@b.c") == nil)
        #expect(throws: UserError.self) { try book.move(3, to: "b@b.c") }
        // Numbers that stand in a ledger are somebody's.
        let far = try book.admit(
            who: "d@b.c", name: "D", mail: "d@b.c", card: nil, suite: nil, above: 40)
        #expect(far.number == 41)
        #expect(throws: UserError.self) { try book.forget(1) }
        #expect(throws: UserError.self) { try book.change(9) { _ in } }
        let json = book.json
        #expect((try? MemberBook(json: json.adding(["next": 3]))) == nil)
        #expect((try? MemberBook(json: json.adding(["x": 3]))) == nil)
        let list = try #require(json["members"]?.list)
        #expect((try? MemberBook(json: json.adding(["members": .array(list.reversed())]))) == nil)
    }
}
