// SPDX-License-Identifier: Apache-2.0
import CivilTime
import Protocol
import Testing

@testable import Bookings
@testable import Text
@testable import Venues

@Suite("R4: the page of a day")
struct DayPageTests {
    /// What the ledger has, as far as a page needs it.
    private struct Taken {
        var spots: [BookingSpot] = []

        func marks(_ count: @escaping (VenuePlace) -> Int) -> DayMarks {
            DayMarks(
                free: { place, period in
                    let beside = spots.filter {
                        $0.place == place.id && $0.period.start < period.end
                            && period.start < $0.period.end
                    }
                    return count(place) - beside.reduce(0) { $0 + $1.count }
                }, count: count)
        }
    }

    private func rows(_ page: DayPage, _ table: Int = 0) -> [String] {
        page.tables[table].rows.map { $0.cells.map(\.text).joined(separator: " ") }
    }

    @Test("Every mark stands where it should")
    func marks() throws {
        let scene = try BookingScene(.courts, at: "2026-12-05T10:30")
        let taken = try Taken(
            spots: ["tennis 1 sat 11-13", "tennis 1 sat 16-18", "tennis 2 sat 18-20"].map(
                scene.spot))
        var marks = taken.marks { _ in 1 }
        marks.mine = [
            (try scene.spot("tennis 2 sat 18-20"), false),
            (try scene.spot("basketball sat 12-13"), true),
        ]
        marks.asked = [try scene.spot("badminton a sat 15-17")]
        marks.offered = [try scene.spot("tennis 1 sat 16-17")]
        let page = DayPage(scene.offered, on: try venueDay("2026-12-05"), at: scene.now, marks)
        #expect(page.tables.count == 1 && !page.tables[0].isByDay)
        #expect(
            page.tables[0].columns == ["10", "11", "12", "13", "14", "15", "16", "17", "18", "19"])
        #expect(
            rows(page) == [
                "- x x . . . o x . .", "- . . . . . . . + +", "- . ! . . . . . . .",
                "- . . . . ~ ~ . . .", "- . . . . . . . . .",
            ])
        let cell = page.tables[0].rows[0].cells[3]
        #expect(cell.period == (try scene.spot("tennis 1 sat 13-14")).period)
        #expect(page.tables[0].rows[0].cells[0].period == nil)
        let lines = DayLines(page, today: scene.reader.today)
        #expect(
            lines.table == [
                "            10 11 12 13 14 15 16 17 18 19",
                "Tennis 1     -  x  x  .  .  .  o  x  .  .",
                "Tennis 2     -  .  .  .  .  .  .  .  +  +",
                "Basketball   -  .  !  .  .  .  .  .  .  .",
                "Badminton A  -  .  .  .  .  ~  ~  .  .  .",
                "Badminton B  -  .  .  .  .  .  .  .  .  .", "",
                ". free   x taken   + yours   - closed   ~ asked   o offered   ! unpaid",
            ])
        #expect(
            lines.sentences[0]
                == "Tennis 1: free 13:00-16:00 and 18:00-20:00; taken 11:00-13:00 and 17:00-18:00; "
                + "offered 16:00-17:00.")
        #expect(lines.sentences[1] == "Tennis 2: free 11:00-18:00; yours 18:00-20:00.")
    }

    @Test("A day on which it is closed is closed everywhere, but for what is booked")
    func closed() throws {
        let scene = try BookingScene(.courts, at: "2026-12-20T10:30")
        let marks = Taken().marks { _ in 1 }
        let page = DayPage(scene.offered, on: try venueDay("2026-12-25"), at: scene.now, marks)
        #expect(page.tables[0].columns == [] && rows(page) == ["", "", "", "", ""])
        #expect(DayLines(page, today: nil).sentences[0] == "Tennis 1: closed.")
        // Too far ahead.
        let far = DayPage(scene.offered, on: try venueDay("2027-01-05"), at: scene.now, marks)
        #expect(Set(rows(far)) == [Array(repeating: "-", count: 16).joined(separator: " ")])
    }

    @Test("Stocks have how many are free, a column a day")
    func stock() throws {
        let scene = try BookingScene(.rental, at: "2027-06-10T12:00")
        var taken = Taken()
        taken.spots = try ["3 x piraat 12-14 jun", "piraat 12 jun", "xl 15 jun"].map(scene.spot)
        var marks = taken.marks { $0.count }
        marks.mine = [(try scene.spot("piraat 12 jun"), false)]
        let page = DayPage(scene.offered, on: try venueDay("2027-06-11"), at: scene.now, marks)
        #expect(page.tables.count == 1 && page.tables[0].isByDay)
        #expect(page.tables[0].columns.count == DayPage.days)
        #expect(page.tables[0].columns.prefix(3) == ["Fri 11 Jun", "Sat 12", "Sun 13"])
        let cells = page.tables[0].rows[0].cells
        #expect(cells[0].text == "4/4" && cells[1].text == "0/4+")
        // Nothing is fetched on a Sunday.
        #expect(cells[2].mark == .closed && cells[2].text == "-")
        #expect(cells[3].text == "1/4" && cells[4].text == "4/4")
        #expect(page.tables[0].rows[1].cells.prefix(5).map(\.text) == [".", ".", "-", ".", "x"])
        let sentence = DayLines(page, today: scene.reader.today).sentences[0]
        #expect(
            sentence.hasPrefix("Piraat: Fri 11 Jun 4 of 4 free, Sat 12 Jun 0 of 4 free and yours"))
    }

    @Test("Bays that are had from any minute on have columns of an hour")
    func bays() throws {
        let scene = try BookingScene(.parking, at: "2026-12-01T10:30")
        let taken = try Taken(spots: [scene.spot("bays today 12:30 4h")])
        let page = DayPage(
            scene.offered, on: try venueDay("2026-12-01"), at: scene.now, taken.marks { $0.count })
        #expect(page.tables[0].columns.count == 24)
        let cells = page.tables[0].rows[0].cells.map(\.text)
        #expect(cells[10] == "-" && cells[11] == "20/20" && cells[12] == "19/20")
        #expect(cells[16] == "19/20" && cells[17] == "20/20")
        let sentence = DayLines(page, today: nil).sentences[0]
        #expect(
            sentence
                == "Visitor bays: from 11:00 20 of 20 free, from 12:00 19 of 20 free, "
                + "from 17:00 20 of 20 free.")
    }

    @Test("Steps of half an hour have columns of half an hour, and nothing is booked in a library")
    func steps() throws {
        let scene = try BookingScene([
            "hours": ["Mo-Su": "08:30-11:00"],
            "places": [
                VenueFiles.court(["grain": 30]),
                VenueFiles.court(["id": 3, "name": "Hall", "grain": 60]),
                VenueFiles.court(["id": 4, "name": "Tent", "grain": 1440]),
            ],
        ])
        let marks = Taken().marks { _ in 1 }
        let page = DayPage(scene.offered, on: try venueDay("2026-12-02"), at: scene.now, marks)
        #expect(page.tables[0].columns == ["08:30", "09:00", "09:30", "10:00", "10:30"])
        #expect(rows(page) == [". . . . .", "- . . . ."] && page.tables[1].rows.count == 1)
        let study = try BookingScene(.study)
        let none = DayPage(study.offered, on: try venueDay("2026-12-02"), at: study.now, marks)
        #expect(
            none.tables == [] && DayLines(none, today: nil).table == ["Nothing is booked here."])
    }
}
