// SPDX-License-Identifier: Apache-2.0
import CivilTime
import Protocol
import Testing

@testable import Bookings
@testable import DeskShell
@testable import Text
@testable import Venues

@Suite("Papers of a desk")
struct DeskShellTests {
    @Test("D7: a slip has all that a customer needs, in 40 columns")
    func slip() throws {
        let scene = try BookingScene(.rental)
        let spot = try scene.spot("2 x piraat 12-14 jun")
        let due = scene.venue.due(spot.period, count: 2, memberClass: 0)
        let code = try token(0x57, 0xE1, 0xA6, 0x75, 0xC0)
        func lines(paid: Int) -> [String] {
            DeskSlip(
                spot, code, for: "Els", due: due, paid: paid, granted: scene.now, scene.offered
            ).lines
        }
        #expect(
            lines(paid: 1000) == [
                "DreamLand Gent", "", "Booking K7Q2M5OA", "2 x Piraat",
                "Sat 12 Jun 2027 to Mon 14 Jun 2027", "For Els", "",
                "Due: 500.00 EUR, to be paid by Thu 10", "Jun 2027 00:00", "To DreamLand Gent",
                "BE71 0961 2345 6769", "Message K7Q2M5OA", "",
                "It can be cancelled until Thu 10 Jun", "2027 00:00.",
            ])
        #expect(lines(paid: 51_000).contains("Paid: 510.00 EUR"))
        #expect(lines(paid: 0).allSatisfy { cellWidth($0) <= DeskSlip.width })
    }

    @Test("A report sums each place and class, and names nobody")
    func report() throws {
        let scene = try BookingScene(.courts)
        let key = try #require(PeerKey([UInt8](repeating: 7, count: 32)))
        func item(
            _ line: String, _ number: Int?, _ end: LedgerClose.Reason? = nil, due: Int? = nil,
            paid: Int = 0, flags: Grant.Flags = [], isReplaced: Bool = false
        ) throws -> DeskReport.Item {
            let spot = try scene.spot(line)
            return DeskReport.Item(
                grant: Grant(
                    holder: key, place: spot.place, period: spot.period, count: spot.count,
                    due: due.map { Grant.Due(currency: "USD", amount: $0) }, flags: flags),
                memberClass: number, end: end, isReplaced: isReplaced, paid: paid)
        }
        let items = try [
            item("tennis 2 sat 18-20", 1, due: 2000, paid: 2000),
            item("tennis 2 sun 18:00 90m", 1, due: 1500), item("tennis 2 sat 10-11", 0),
            item("tennis 2 sat 11-12", 0, .noShow),
            item("tennis 2 sat 12-13", 1, .asked, due: 1000),
            item("tennis 2 sat 13-14", nil, .unpaid, due: 1000, paid: 200),
            item("tennis 2 sat 14-15", 1, .desk), item("tennis 2 sat 15-16", nil, flags: .blocked),
            item("tennis 2 sat 16-17", 1, isReplaced: true),
            item("basketball sat 16-17", 0, .early),
            item("tennis 1 3 jan 10-11", 0),
        ]
        let report = DeskReport(
            items, from: try venueDay("2026-12-01"), through: try venueDay("2026-12-31"),
            of: scene.venue)
        #expect(
            report.csv
                == """
                place,class,bookings,hours,cancelled,no_shows,unpaid,due,paid,currency
                Tennis 2,student,2,2.00,0,1,0,0.00,0.00,USD
                Tennis 2,guest,2,3.50,2,0,1,35.00,22.00,USD
                Tennis 2,venue,1,1.00,0,0,0,0.00,0.00,USD
                Basketball,student,1,1.00,0,0,0,0.00,0.00,USD

                """)
        var reader = CSVReader(Array(report.csv.utf8))
        while let row = try reader.next() { #expect(row.fields.count == 10) }
    }

    @Test("Words at a desk")
    func words() throws {
        #expect(try DeskWords.late(["+1d"]) == 1440 && (try DeskWords.late(["2", "h"])) == 120)
        for text in ["", "+", "soon", "0h", "99d"] {
            #expect(throws: UserError.self, "\(text)") { try DeskWords.late([text]) }
        }
        let code = BookingCode(try token(1))
        #expect(try DeskWords.amount("20.00", "USD", code: code) == 2000)
        #expect(throws: UserError.self) { try DeskWords.amount("20.0", "USD", code: code) }
        #expect(throws: UserError.self) { try DeskWords.amount("99999999", "USD", code: code) }
        for means in PaidMeans.allCases { #expect(try PaidMeans.read(means.word) == means) }
        #expect(throws: UserError.self) { try PaidMeans.read("gold") }
        #expect(PaidMeans.allCases.allSatisfy { 0...7 ~= $0.rawValue })
    }

    @Test("R11: a member goes to a key that is known here and nobody's")
    func moves() throws {
        func key(_ bytes: UInt8...) throws -> PeerKey {
            try #require(PeerKey(bytes + [UInt8](repeating: 0, count: 32 - bytes.count)))
        }
        let (old, new) = (try key(1), try key(0x57, 0xE1, 0xA6, 0x75))
        let twin = try key(0x57, 0xE1, 0xA6, 0x76)
        func move(
            _ number: Int, _ tag: String, _ known: [PeerKey]
        ) -> Result<MemberMove, UserError> {
            do throws(UserError) {
                return .success(
                    try MemberMove(
                        number, to: tag, known: known, members: [(217, [old]), (3, [])]))
            } catch {
                return .failure(error)
            }
        }
        #expect(try move(217, "#k7q2", [old, new]).get().key == new)
        #expect(try move(217, new.tag.uppercased(), [old, new, twin]).get().key == new)
        func code(_ result: Result<MemberMove, UserError>) -> ErrorCode? {
            if case .failure(let error) = result { error.code } else { nil }
        }
        #expect(code(move(9, "#k7q2", [new])) == .noSuchRecord)
        #expect(code(move(217, "#k7q2", [old])) == .noSuchPassenger)
        #expect(code(move(217, "k7", [new])) == .noSuchPassenger)
        #expect(code(move(217, "#k7q2", [new, twin])) == .ambiguous)
        #expect(code(move(217, old.shortTag, [old, new])) == .alreadySo)
        #expect(code(move(3, old.shortTag, [old, new])) == .alreadySo)
    }
}
