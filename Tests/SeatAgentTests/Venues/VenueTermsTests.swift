// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Text
@testable import Venues

@Suite("Who may have what, and for how much")
struct VenueTermsTests {
    @Test("# is a digit, ? any character, a letter itself in either case")
    func patterns() throws {
        let mail = try #require(VenuePattern("S#####@nwmissouri.edu"))
        #expect(mail.matches("S12345@nwmissouri.edu") && mail.matches("s12345@NWMissouri.edu"))
        for text in [
            "S1234@nwmissouri.edu", "S123456@nwmissouri.edu", "S1234x@nwmissouri.edu",
            "S12345@nwmissouri-edu", "", "S12345@nwmissouri.edu ", "S1234٣@nwmissouri.edu",
        ] {
            #expect(!mail.matches(text), "\(text)")
        }
        let any = try #require(VenuePattern("?#"))
        #expect(any.matches("x1") && any.matches("?9") && !any.matches(" 1") && !any.matches("1x"))
        #expect(VenuePattern("") == nil && VenuePattern("a b") == nil && VenuePattern("é") == nil)
        #expect(VenuePattern(String(repeating: "a", count: 81)) == nil)
    }

    @Test("A class fits whoever fits all that it asks for")
    func classes() throws {
        let venue = try VenueFiles.venue(.courts)
        let (student, guest) = (venue.classes[0], venue.classes[1])
        #expect(student.fits(mail: "S12345@nwmissouri.edu", number: "919123456"))
        #expect(!student.fits(mail: "S12345@nwmissouri.edu", number: nil))
        #expect(!student.fits(mail: "S12345@nwmissouri.edu", number: "918123456"))
        #expect(!student.fits(mail: nil, number: "919123456"))
        #expect(guest.fits(mail: nil, number: nil) && guest.fits(mail: "a@b.c", number: "1"))
    }

    @Test("Amounts in the smallest unit, with the decimals of their currency")
    func money() {
        #expect(MoneyText.words(2000, "USD") == "20.00 USD")
        #expect(MoneyText.words(5, "EUR") == "0.05 EUR")
        #expect(MoneyText.words(0, "EUR") == "0.00 EUR")
        #expect(MoneyText.words(1500, "JPY") == "1500 JPY")
        #expect(MoneyText.words(1500, "KWD") == "1.500 KWD")
        #expect(MoneyText.words(-250, "GBP") == "-2.50 GBP")
        #expect(MoneyText.words(Int.min, "GBP").hasSuffix(".08 GBP"))
    }

    @Test("As many bookings as the shortest periods fit into the hours")
    func sizes() throws {
        func size(_ example: VenueExample) throws -> Int {
            LedgerSize(try VenueFiles.venue(example)).bookings
        }
        // Four weeks of 100 hours and three days of 16, on two courts and twice in the hall.
        #expect(try size(.courts) == 4 * (4 * 100 + 3 * 16))
        // A castle takes a day, the other one two.
        #expect(try size(.rental) == 4 * 366 + 183)
        #expect(try size(.study) == 0)
        #expect(try size(.parking) == 20 * 31 * 24)
        let parking = LedgerSize(try VenueFiles.venue(.parking))
        #expect(parking.fits && !parking.fitsTwice)
        #expect(LedgerSize(try VenueFiles.venue(.courts)).fitsTwice)
    }

    @Test("A volume whose bookings no record can hold does not fit")
    func tooLarge() throws {
        func fits(_ volume: Venue.Volume, _ grain: Int) throws -> Bool {
            let court = VenueFiles.court(["grain": .int(grain), "count": 10])
            return LedgerSize(
                try Venue(
                    json: VenueFiles.least.adding([
                        "volume": .string(volume.rawValue), "places": [court],
                    ]))
            ).fits
        }
        // Fourteen hours a day: 140 bookings of an hour each.
        #expect(try fits(.quarter, 60) && !fits(.year, 60))
        #expect(try fits(.month, 15) && !fits(.month, 5) && fits(.week, 5))
    }

    @Test("Hours of several places of one unit count once if they are the same")
    func shared() throws {
        func count(_ hours: JSON?) throws -> Int {
            let one = VenueFiles.court(["uses": ["hall": 1]])
            let two = VenueFiles.court(["id": 3, "name": "B", "uses": ["hall": 1]])
                .adding(present: ["hours": hours])
            return LedgerSize(
                try Venue(
                    json: VenueFiles.least.adding(["units": ["hall": 1], "places": [one, two]]))
            ).bookings
        }
        #expect(try count(nil) == 14)
        #expect(try count(["Mo-Su": "06:00-08:00"]) == 16)
    }
}
