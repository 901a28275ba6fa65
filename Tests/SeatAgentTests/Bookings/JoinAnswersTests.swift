// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Bookings
@testable import DeskShell
@testable import Text
@testable import Venues

@Suite("R2: joining a venue")
struct JoinAnswersTests {
    private func answers(
        _ example: VenueExample, _ given: [(JoinField, String)]
    ) throws -> JoinAnswers {
        var answers = JoinAnswers(try VenueFiles.venue(example))
        for (field, text) in given { try answers.take(field, text) }
        return answers
    }

    private func fault(_ example: VenueExample, _ given: [(JoinField, String)]) throws -> String {
        do throws(FormFault) {
            var answers = JoinAnswers(try venue(example))
            for (field, text) in given { try answers.take(field, text) }
            try answers.check()
        } catch {
            return error.sentence
        }
        return ""
    }

    private func venue(_ example: VenueExample) throws(FormFault) -> Venue {
        try Venue.read(Array(example.text.utf8))
    }

    @Test("A number is asked only of whom a class wants one")
    func questions() throws {
        #expect(try answers(.courts, []).next == .name)
        #expect(try answers(.courts, [(.name, "Ada")]).next == .mail)
        let student = try answers(.courts, [(.name, "Ada"), (.mail, "s12345@NWMISSOURI.edu")])
        #expect(student.next == .number && student.wanted == [.name, .mail, .number])
        let guest = try answers(.courts, [(.name, "Ada"), (.mail, "ada@example.org")])
        #expect(guest.next == nil && guest.optional == [])
        let done = try answers(
            .courts,
            [(.name, " Ada  L. "), (.mail, "S12345@nwmissouri.edu"), (.number, "919 123456")])
        #expect(done.next == nil)
        #expect(done.fields.map(\.number) == [0, 1, 2])
        #expect(done.fields.map(\.text) == ["Ada L.", "S12345@nwmissouri.edu", "919123456"])
        #expect(try answers(.study, []).wanted == [])
        #expect(try answers(.rental, []).wanted == [.name, .mail])
        #expect(try answers(.parking, []).wanted == [.name, .mail, .suite])
    }

    @Test("A mark behind a blank stays, so the desk reads the name that was typed")
    func markBehindABlank() throws {
        let typed = try answers(.courts, [(.name, "Ada \t\u{301}L."), (.mail, "ada@example.org")])
        let name = try #require(typed[.name])
        #expect(name.unicodeScalars.elementsEqual("Ada \u{301}L.".unicodeScalars))
        let read = try JoinRequest(typed.fields, of: try VenueFiles.venue(.courts))
        #expect(read.answers == typed)
    }

    @Test("What does not fit is refused with the field's name")
    func faults() throws {
        let mail = (JoinField.mail, "s12345@nwmissouri.edu")
        #expect(try fault(.courts, [(.name, "  ")]) == "name: it is empty")
        #expect(try fault(.courts, [(.name, "Ada")]) == "mail: it is missing")
        for (address, why) in [
            ("ada", "it has 0 @"), ("a@b@c.d", "it has 2 @"), ("@b.c", "nothing stands before"),
            ("a@b", "no dot follows"), ("a@.b", "a dot stands"), ("a b@c.d", "there is a blank"),
            (String(repeating: "a", count: 250) + "@b.cd", "it has 255 bytes"),
        ] {
            #expect(try fault(.courts, [(.mail, address)]).hasPrefix("mail: \(why)"), "\(address)")
        }
        #expect(try fault(.courts, [(.name, "Ada"), mail]) == "number: it is missing")
        #expect(
            try fault(.courts, [(.name, "Ada"), mail, (.number, "12")])
                == "number: \"12\" is none: a number like 919###### is wanted")
        #expect(
            try fault(.courts, [(.mail, "ada@x.org"), (.number, "919123456")])
                == "number: Northwest Rec Center does not ask for it")
        #expect(try fault(.study, [(.name, "Ada")]).contains("does not ask for it"))
        #expect(try fault(.parking, [(.suite, "12 b!")]).hasPrefix("suite: 2 to 5"))
        #expect(try fault(.courts, [(.name, "a\u{1B}b")]).contains("cannot be seen"))
        #expect(
            try fault(.courts, [(.name, String(repeating: "a", count: 121))]).contains("121 bytes"))
    }

    @Test("Another address asks for the number anew")
    func again() throws {
        var answers = try answers(
            .courts, [(.name, "A"), (.mail, "s12345@nwmissouri.edu"), (.number, "919123456")])
        try answers.take(.mail, "ada@x.org")
        #expect(answers[.number] == nil && answers.next == nil)
        try answers.take(.mail, "s12345@nwmissouri.edu")
        #expect(answers.next == .number)
    }
}
