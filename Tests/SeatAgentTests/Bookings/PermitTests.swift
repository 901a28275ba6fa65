// SPDX-License-Identifier: Apache-2.0
import Protocol
import Testing

@testable import Bookings
@testable import DeskShell
@testable import Parking
@testable import Text
@testable import Venues

@Suite("P7: permits to park")
struct PermitTests {
    private let answers = PermitAnswers(plate: "AB12CDE", suite: "12B")

    private func fault(_ fields: [(number: Int, text: String)]) -> String {
        do throws(FormFault) {
            _ = try PermitAnswers(fields)
        } catch {
            return error.sentence
        }
        return ""
    }

    @Test("A form has suite and plate as they are kept, and nothing else")
    func fields() throws {
        #expect(try PermitAnswers(answers.fields) == answers)
        #expect(answers.fields.map(\.number) == [3, 4])
        #expect(PermitAnswers.Field.plate.count == ParkingField.plate.count)
        #expect(PermitAnswers.Field.suite.count == ParkingField.suite.count)
        #expect(fault([]) == "suite: it is missing")
        #expect(fault([(3, "12B")]) == "plate: it is missing")
        #expect(fault([(3, "12B"), (3, "12B")]) == "suite: it is there twice")
        #expect(fault([(1, "a@b.c"), (3, "12B")]) == "field 1: nobody asks for it")
        for plate in ["", "A", "ABCDE1234", "ab12", "AB 12", "ÄB12", "AB\u{1B}"] {
            #expect(fault([(3, "12B"), (4, plate)]).hasPrefix("plate: 2 to 8"), "\(plate)")
        }
        #expect(fault([(3, "123456"), (4, "AB12")]).hasPrefix("suite: 2 to 5 capital letters"))
    }

    // MARK: Which bay

    /// The bay in words for so many hours at a time of the venue's clocks, or `none`.
    private func bay(_ scene: BookingScene, _ hours: Int, seconds: Int64 = 0) throws -> String {
        let now = UTCTime(seconds: scene.now.seconds + seconds)
        let choice = BayChoice(scene.offered, at: now)
        let today = try #require(scene.reader.today)
        return choice.spot(minutes: hours * 60)?.words(today: today) ?? "none"
    }

    @Test("A bay begins at the next minute that the desk still gives out, by the place's grain")
    func rounding() throws {
        let minutes = try BookingScene(.parking)
        #expect(try bay(minutes, 4) == "Visitor bays, Tue 1 Dec 10:31-14:31")
        #expect(try bay(minutes, 4, seconds: 29) == "Visitor bays, Tue 1 Dec 10:31-14:31")
        #expect(try bay(minutes, 4, seconds: 31) == "Visitor bays, Tue 1 Dec 10:32-14:32")
        #expect(try bay(minutes, 24) == "Visitor bays, Tue 1 Dec 10:31 to Wed 2 Dec 10:31")
        let late = try BookingScene(.parking, at: "2026-12-01T23:59")
        #expect(try bay(late, 1) == "Visitor bays, Wed 2 Dec 00:00-01:00")
        // The ledger of the month ends.
        let last = try BookingScene(.parking, at: "2026-12-31T20:00")
        #expect(try bay(last, 4) == "Visitor bays, Thu 31 Dec 20:01-24:00")
        let hours = try BookingScene(
            ["places": [VenueFiles.court(["grain": 60])], "rules": ["join": "open", "notice": 40]])
        #expect(try bay(hours, 4) == "Court, Tue 1 Dec 12:00-16:00")
        #expect(BayChoice(hours.offered, at: hours.now).spot(minutes: 30) == nil)
        // The desk would take each of them.
        for scene in [minutes, late, last] {
            let spot = try #require(BayChoice(scene.offered, at: scene.now).spot(minutes: 240))
            let place = try #require(scene.venue.place(spot.place))
            #expect(scene.offered.refusal(of: place, spot.period, at: scene.now) == nil)
        }
    }

    @Test("Of several bays the first that is free is asked for; without one the first of all")
    func several() throws {
        let scene = try BookingScene([
            "places": [
                VenueFiles.court(["id": 2, "name": "Day", "lengths": [720]]),
                VenueFiles.court(["id": 3, "name": "North"]),
                VenueFiles.court(["id": 4, "name": "South"]),
            ]
        ])
        let choice = BayChoice(scene.offered, at: scene.now)
        #expect(choice.spot(minutes: 240)?.name == "North")
        #expect(choice.spot(minutes: 240) { place, _ in place.id == 4 }?.name == "South")
        #expect(choice.spot(minutes: 240) { _, _ in false }?.name == "North")
    }

    @Test("What is left of a car's time is rounded up to a length of a bay, not beyond its own")
    func lengths() throws {
        let scene = try BookingScene(.parking)
        let long = try BookingScene(
            ["places": [VenueFiles.court(["grain": 60, "lengths": [240, 1440]])]])
        func minutes(_ venue: Venue, _ hours: Int, left: Int64) -> Int? {
            BayChoice.minutes(
                of: venue, hours: hours, until: UTCTime(seconds: scene.now.seconds + left),
                at: scene.now)
        }
        #expect(minutes(scene.venue, 4, left: 4 * 3600) == 240)
        #expect(minutes(scene.venue, 24, left: 4 * 3600 + 1) == 720)
        #expect(minutes(scene.venue, 4, left: 3600) == 60)
        #expect(minutes(long.venue, 4, left: 600) == 240)
        #expect(minutes(long.venue, 1, left: 600) == nil)
        #expect(minutes(long.venue, 12, left: 12 * 3600) == nil)
    }

    // MARK: The desk

    private func decision(
        _ venue: Venue, number: Int = 0, _ members: MemberBook = MemberBook(), suite: String = "12B"
    ) -> PermitDecision {
        PermitDecision(
            PermitAnswers(plate: "AB12CDE", suite: suite), of: venue, number: number, key: "aa",
            members)
    }

    private func car(_ plate: String = "AB12CDE", _ key: String = "aa", at: Int64 = 0)
        -> MemberBook.Car
    {
        MemberBook.Car(
            PermitAnswers(plate: plate, suite: "12B"), key: key, since: UTCTime(seconds: at))
    }

    @Test("A suite is one person, whichever key asks, and a key is of one suite")
    func suites() throws {
        let bays = try VenueFiles.venue(.parking)
        #expect(decision(bays) == .admit(who: "12B", memberClass: 0))
        var members = MemberBook()
        #expect(try members.admit(car(), who: "12B").number == 1)
        #expect(try members.admit(car("BO22XYZ", "bb"), who: "12B").number == 1)
        #expect(decision(bays, members) == .admit(who: "12B", memberClass: 0))
        #expect(decision(bays, number: 1, members) == .known(number: 1))
        #expect(decision(bays, number: 1, members, suite: "30A") == .other(suite: "12B"))
        // What was known of it is deleted: the number stays theirs, unless others took the suite.
        try members.forget(1)
        #expect(decision(bays, number: 1, members) == .known(number: 1))
        members.park(car(), of: 1, who: "12B")
        #expect(members.member(1)?.suite == "12B" && members.member(1)?.cars.count == 1)
        try members.forget(1)
        #expect(try members.admit(car(), who: "12B").number == 2)
        #expect(decision(bays, number: 1, members) == .other(suite: "12B"))
        members.park(car(), of: 1, who: "12B")
        #expect(members.member(1) == nil)
    }

    @Test("What a venue wants to see first is asked for before a permit")
    func proofs() throws {
        func venue(_ join: String, _ member: String?, _ one: [String: JSON]) throws -> Venue {
            var rules: [String: JSON] = ["join": .string(join)]
            if let member { rules["member"] = .string(member) }
            let first: JSON = .object(["name": "first"]).adding(one)
            return try Venue(
                json: VenueFiles.least.adding([
                    "classes": [first, ["name": "all"]], "rules": .object(rules),
                ]))
        }
        let numbered: [String: JSON] = ["number": "7##", "proof": "roster"]
        #expect(
            try decision(venue("form", "suite", numbered)) == .admit(who: "12B", memberClass: 1))
        #expect(
            try decision(venue("form", "suite", ["proof": "word"]))
                == .admit(who: "12B", memberClass: 0))
        #expect(try decision(venue("form", "suite", ["proof": "card"])) == .look)
        #expect(try decision(venue("card", "suite", ["proof": "word"])) == .look)
        // Where an address makes a person, a plate makes none; whoever joined just parks.
        #expect(try decision(venue("form", nil, numbered)) == .join)
        #expect(try decision(venue("form", nil, numbered), number: 9) == .known(number: 9))
        #expect(
            try decision(venue("open", nil, numbered)) == .admit(who: "aa", memberClass: 1))
    }

    @Test("Cars stay at the desk for two months, and a booking has the last one of its key before")
    func cars() throws {
        var members = MemberBook()
        try members.admit(
            who: "12B", name: "Ada", mail: "a@b.c", card: nil, suite: "12B", above: 6)
        try members.admit(car(at: 100), who: "12B")
        try members.admit(car("BO22XYZ", "bb", at: 150), who: "12B")
        members.park(car("CY33QQQ", at: 200), of: 7, who: "12B")
        #expect(members.member(7)?.name == "Ada" && members.member(7)?.cars.count == 3)
        func plate(_ key: String, at time: Int64) -> String? {
            members.car(of: 7, key: key, at: UTCTime(seconds: time))?.plate
        }
        #expect(plate("aa", at: 99) == nil && plate("aa", at: 199) == "AB12CDE")
        #expect(plate("aa", at: 200) == "CY33QQQ" && plate("bb", at: 900) == "BO22XYZ")
        #expect(members.parked("BO22XYZ").map(\.member.number) == [7])
        #expect(members.parked("NO1").isEmpty)
        #expect(try MemberBook(json: members.json) == members)
        // Somebody of whom nothing but a suite is known.
        try members.admit(car("DI44WWW", "dd", at: 62 * 86_400), who: "30A", above: 0)
        #expect(members.member(7)?.cars.isEmpty == true && members.member(8)?.name == "")
        #expect(try MemberBook(json: members.json) == members)
        for count in 0..<150 { try members.admit(car(at: 62 * 86_400 + Int64(count)), who: "30A") }
        #expect(members.member(8)?.cars.count == 100)
        #expect(members.member(8)?.cars.first?.since == UTCTime(seconds: 62 * 86_400 + 50))
    }

    @Test("A slip names the car")
    func slip() throws {
        let scene = try BookingScene(.parking)
        let spot = try #require(BayChoice(scene.offered, at: scene.now).spot(minutes: 60))
        let lines = DeskSlip(
            spot, try token(1), for: nil, car(), due: nil, paid: 0, granted: scene.now,
            scene.offered
        ).lines
        #expect(lines.contains("Plate AB12CDE, suite 12B"))
    }

    // MARK: The driver

    @Test("A record keeps its permit, and says its code as long as its time runs")
    func record() throws {
        var book = ParkingBook()
        var record = try book.add { number in
            ParkingRecord(
                number: number, since: UTCTime(seconds: 0), building: "B7K2Q", hours: 1,
                plate: "AB12CDE", suite: "12B")
        }
        #expect(ParkingText.permit(record, UTCTime(seconds: 60)) == nil)
        let permit = try token(0x57, 0xE1, 0xA6, 0x75, 0xC0)
        record.permit = permit
        book.put(record)
        #expect(try ParkingBook(json: book.json) == book)
        let code = BookingCode(permit).text
        #expect(ParkingText.permit(record, UTCTime(seconds: 60)) == code)
        #expect(ParkingText.permit(record, UTCTime(seconds: 3600)) == nil)
        let lines = ParkingText(record, UTCTime(seconds: 60)).lines
        #expect(lines.contains("  permit    \(code)"))
        let wrong = record.json.adding(["permit": "57"])
        #expect(throws: FormFault.self) {
            try ParkingBook(json: book.json.adding(["records": [wrong]]))
        }
    }
}
