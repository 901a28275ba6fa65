// SPDX-License-Identifier: Apache-2.0
import Bookings
@testable import DeskShell
import FuzzKit
@testable import Keys
@testable import Owner
@testable import Text
@testable import Venues

/// What people fill in at a desk, with the files that are kept of it or sealed: what is read is
/// written as the same, and no complaint acts on a terminal.
///
/// Input: what it is, then fields (number, length, text), a list of members, or a sealed file.
enum FormsTarget {
    private static let venues = VenueExample.allCases.map(\.venue)
    /// A key of a passphrase, at the least that one may cost.
    private static func key() -> SealingKey? {
        SealingCost(passes: 1, kibibytes: 8).flatMap {
            SealingKey(
                passphrase: [1], salt: [UInt8](repeating: 2, count: SealingKey.saltCount), cost: $0)
        }
    }

    static func run(_ input: [UInt8]) -> Verdict {
        guard let kind = input.first else { return .refused }
        let rest = Array(input.dropFirst())
        do throws(FormFault) {
            switch kind % 4 {
            case 0: try join(fields(rest), Int(kind / 4))
            case 1: try permit(fields(rest))
            case 2: try members(rest)
            default: try sealed(rest)
            }
            return .accepted
        } catch {
            hold(error.sentence.unicodeScalars.allSatisfy(\.isSafeToPrint), "a fault that acts")
            hold(error.sentence.utf8.count < 2000, "a long complaint")
            return .refused
        }
    }

    private static func fields(_ bytes: [UInt8]) -> [(number: Int, text: String)] {
        var choices = Choices(bytes)
        var fields: [(number: Int, text: String)] = []
        while !choices.isEmpty, fields.count < 9 {
            let number = Int(choices.byte())
            let text = choices.take(Int(choices.byte()))
            fields.append((number, String(decoding: text, as: UTF8.self)))
        }
        return fields
    }

    private static func join(
        _ fields: [(number: Int, text: String)], _ place: Int
    ) throws(FormFault) {
        guard let venue = venues[place % venues.count] else { broken("no such venue") }
        let request = try JoinRequest(fields, of: venue)
        hold(request.name.unicodeScalars.allSatisfy(\.isSafeToPrint), "a name that acts")
        hold(MailAddress.fault(request.mail) == nil, "an address that is none")
        hold(!request.who.isEmpty, "nobody")
        let again = try? JoinRequest(request.answers.fields, of: venue)
        hold(again?.answers == request.answers && again?.who == request.who, "another when sent on")
        _ = JoinDecision(request, of: venue, Roster(), MemberBook(), hasKey: { _ in false })
    }

    private static func permit(_ fields: [(number: Int, text: String)]) throws(FormFault) {
        let answers = try PermitAnswers(fields)
        hold((try? PermitAnswers(answers.fields)) == answers, "another when sent on")
        for text in [answers.plate, answers.suite] {
            hold(1...12 ~= text.utf8.count && text.allSatisfy(\.isASCII), "a plate without an end")
        }
    }

    private static func members(_ bytes: [UInt8]) throws(FormFault) {
        let json = try FormReader.json(bytes, limit: 1 << 16, whole: "the list")
        let book = try MemberBook(json: json)
        hold((try? MemberBook(json: book.json)) == book, "other members when kept")
        for member in book.members {
            hold(book.member(member.number) == member, "nobody finds them")
        }
    }

    private static func sealed(_ bytes: [UInt8]) throws(FormFault) {
        let form = try SealedForm(bytes)
        hold((try? SealedForm(form.bytes)) == form, "another file of the same")
        guard let key = key() else { broken("no key") }
        hold(form.open(key, name: "trips.json") == nil, "something opens that nobody sealed")
    }
}
