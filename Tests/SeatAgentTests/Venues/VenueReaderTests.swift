// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Text
@testable import Venues

/// Part of X3: files of strangers. The fuzz target `venues` has the rest.
@Suite("X3: files of venues of strangers")
struct VenueReaderTests {
    private func fault(_ more: [String: JSON]) -> String { VenueFiles.fault(more) }
    private func fault(place more: [String: JSON]) -> String { VenueFiles.fault(place: more) }
    private func fault(court more: [String: JSON], _ others: [String: JSON] = [:]) -> String {
        VenueFiles.fault(court: more, others)
    }

    @Test(
        "The least venue is read; what is missing is named",
        arguments: [
            "version", "slug", "name", "zone", "volume", "hours", "places", "classes", "rules",
        ])
    func missing(key: String) {
        #expect(fault([:]) == "")
        var members = VenueFiles.least.members ?? [:]
        members[key] = nil
        let error = #expect(throws: FormFault.self) { try Venue(json: .object(members)) }
        #expect(error?.place == key)
    }

    @Test("A typing mistake is not ignored, in whichever object")
    func unknown() {
        #expect(fault(["hour": 1]) == "the venue: nothing is called hour; the nearest is hours")
        #expect(fault(place: ["nam": 1]).hasPrefix("places[0]: nothing is called nam;"))
        #expect(fault(["classes": [["name": "a", "quotas": []]]]).contains("nearest is quota"))
        #expect(fault(["rules": ["join": "open", "x": 1]]).hasPrefix("rules: nothing"))
        #expect(fault(["money": ["currency": "EUR", "cash": 1]]).hasPrefix("money: nothing"))
        #expect(fault(["groups": ["a": ["nme": "A"]]]).hasPrefix("groups.a: nothing"))
        #expect(fault(["version": 2]) == "version: this program reads version 1")
        #expect(fault(["mode": "claimed"]).hasPrefix("the venue: nothing is called mode"))
    }

    @Test("Short names, links, zones, buildings and positions have their form")
    func words() {
        for slug in ["rec", "dreamland/gent", "3d-print", String(repeating: "a", count: 24)] {
            #expect(fault(["slug": .string(slug)]) == "", "\(slug)")
        }
        for slug in [
            "Rec", "a/b/c", "/a", "a/", "-a", "a b", "é", String(repeating: "a", count: 25),
        ] {
            #expect(fault(["slug": .string(slug)]).hasPrefix("slug: it needs small"), "\(slug)")
        }
        #expect(fault(["web": "ftp://x"]).contains("https://"))
        #expect(fault(["web": "https://x.example/a"]) == "")
        for zone in ["../etc/passwd", "/UTC", "Europe/", "Europe Amsterdam"] {
            #expect(fault(["zone": .string(zone)]).hasPrefix("zone: a zone as"), "\(zone)")
        }
        #expect(
            fault(["building": "B7K2"])
                == "building: it has 4 characters and needs 5, of A to Z and 0 to 9")
        #expect(fault(["building": "b7k2q"]).hasPrefix("building: "))
        #expect(fault(["building": "B7K2Q"]) == "")
        #expect(fault(["at": [90, -180]]) == "" && fault(["at": [0.0000001, 0]]) == "")
        for at: JSON in [
            [91, 0], [0, 181], [1], [1, 2, 3], ["1", 2], 3, [0.00000001, 0], [1e300, 0],
        ] {
            #expect(fault(["at": at]).hasPrefix("at: degrees"), "\(at.line)")
        }
        #expect(fault(["volume": "hour"]).hasPrefix("volume: it is one of \"day\""))
        #expect(fault(["name": "\u{1B}[2J"]) == "name: it has characters that cannot be seen")
        #expect(
            fault(["name": .string(String(repeating: "n", count: 61))]).contains("61 bytes, 60"))
    }

    @Test("Numbers of places are unique, and so are names; a place has what fits its mode")
    func places() {
        let twice: JSON = .array([VenueFiles.place([:]), VenueFiles.place(["name": "B"])])
        #expect(fault(["places": twice]) == "places[1].id: 1 is the number of Hall")
        let same: JSON = .array([VenueFiles.place([:]), VenueFiles.place(["id": 2])])
        #expect(fault(["places": same]) == "places[1].name: place 1 has that name")
        #expect(fault(["places": []]) == "places: 1 to 256 of them are wanted")
        for id: JSON in [0, 4096, -1, "1", 1.5] {
            #expect(fault(place: ["id": id]).hasPrefix("places[0].id: a whole number"), "\(id)")
        }
        #expect(fault(place: ["id": 4095]) == "")
        #expect(fault(place: ["mode": "claimed"]).hasPrefix("places[0].mode: it is one of"))
        #expect(fault(place: ["count": 0]).hasPrefix("places[0].count"))
        #expect(fault(place: ["grain": 60]).contains("only a place that is granted"))
        #expect(fault(place: ["card": 1]) == "places[0].card: true or false is wanted")
        #expect(fault(place: ["group": "x"]) == "places[0].group: groups has no x")
        #expect(fault(place: ["classes": ["x"]]) == "places[0].classes: no class is called x")
        #expect(fault(place: ["classes": ["all"]]) == "")
        #expect(fault(place: ["hours": ["Mo": "8-9"]]).hasPrefix("places[0].hours.Mo: hours as"))
        #expect(fault(court: [:]) == "" && fault(court: ["grain": .null]) != "")
    }

    @Test("Periods are multiples of the grain, between two or from a list")
    func periods() {
        #expect(fault(court: ["min": 60, "max": 240, "turnover": 10]) == "")
        #expect(
            fault(court: ["min": 90]) == "places[0].min: it is no multiple of grain, which is 60")
        #expect(fault(court: ["min": 240, "max": 120]).hasPrefix("places[0].max: it is shorter"))
        #expect(fault(court: ["max": 44_700]).hasPrefix("places[0].max: a whole number from 1"))
        #expect(fault(court: ["lengths": [60, 120]]) == "")
        #expect(fault(court: ["lengths": [120, 60]]).contains("multiples of grain"))
        #expect(fault(court: ["lengths": [90]]).contains("multiples of grain"))
        #expect(fault(court: ["lengths": [60], "max": 60]).contains("lengths, or min and max"))
        #expect(fault(court: ["turnover": 10_081]).hasPrefix("places[0].turnover"))
    }

    @Test("What places use is there, and enough of it")
    func units() {
        let hall: [String: JSON] = ["units": ["hall": 2]]
        #expect(fault(court: ["uses": ["hall": 2]], hall) == "")
        #expect(
            fault(court: ["uses": ["hall": 3]], hall).hasSuffix("it takes 3, and there are 2 of it")
        )
        #expect(
            fault(court: ["uses": ["pool": 1]], hall) == "places[0].uses.pool: units has no pool")
        #expect(fault(court: ["uses": ["hall": 1], "count": 2], hall).hasPrefix("places[0].count"))
        #expect(fault(["units": ["Hall": 1]]).hasPrefix("units.Hall: its key needs small letters"))
        let many = Dictionary(uniqueKeysWithValues: (0..<256).map { ("u\($0)", JSON.int(1)) })
        #expect(fault(["units": .object(many)]) == "")
        #expect(fault(court: [:], ["units": .object(many)]).contains("more than 256 together"))
    }

    @Test("The last class is for everybody, the others say for whom they are")
    func classes() {
        func fault(_ classes: JSON...) -> String { VenueFiles.fault(["classes": .array(classes)]) }
        let all: JSON = ["name": "all"]
        #expect(fault(["name": "s", "proof": "card"], all) == "")
        #expect(fault(["name": "s"], all).hasPrefix("classes[0].name: mail, number or proof"))
        #expect(fault(["name": "s", "proof": "card"]).hasPrefix("classes[0].name: the last class"))
        #expect(
            fault(["name": "all", "proof": "card"], all).contains("another class has that name"))
        #expect(fault(["name": "s", "mail": "x"], all).contains("one @"))
        #expect(fault(["name": "s", "number": "9 9"], all).contains("# a digit"))
        #expect(fault(["name": "all", "quota": [[:]]]).contains("minutes or bookings a day"))
        #expect(
            fault(["name": "all", "quota": [["minutes": 1], ["bookings": 1]]]).contains("already"))
        #expect(fault(["name": "all", "quota": [["group": "x", "minutes": 1]]]).contains("no x"))
        #expect(fault(["name": "all", "price": ["hour": 1]]).contains("money is missing"))
        let money: JSON = ["currency": "EUR"]
        func price(_ price: JSON) -> String {
            VenueFiles.fault(["money": money, "classes": [["name": "all", "price": price]]])
        }
        #expect(price(["hour": 1]) == "" && price(["day": 1]) == "")
        #expect(price(["hour": 1, "day": 1]).contains("either") && price([:]).contains("either"))
    }

    @Test("Accounts are checked before somebody pays into them")
    func money() {
        func fault(_ more: [String: JSON]) -> String {
            VenueFiles.fault(["money": JSON.object(["currency": "EUR"]).adding(more)])
        }
        #expect(fault([:]) == "" && fault(["currency": "eur"]).hasPrefix("money.currency: three"))
        #expect(fault(["iban": "BE71096123456769", "payee": "D"]) == "")
        for iban in ["BE71096123456768", "BE71 0961 2345 6769", "be71096123456769", "BE7", ""] {
            #expect(
                fault(["iban": .string(iban), "payee": "D"]).hasPrefix("money.iban"), "\(iban)")
        }
        #expect(fault(["iban": "BE71096123456769"]) == "money.payee: it is missing beside iban")
        #expect(fault(["payee": "D"]) == "money.iban: it is missing beside payee")
        #expect(fault(["payto": "payto://iban/BE71096123456769"]) == "")
        #expect(fault(["payto": "payto://x", "payee": "D"]).contains("either"))
        #expect(fault(["payto": "https://x"]).contains("payto://"))
        #expect(fault(["payBy": 0]).contains("-30 before") && fault(["payBy": -30]) == "")
        #expect(fault(["link": "https://x.example/{code}"]) == "" && fault(["link": "x"]) != "")
    }

    @Test("What is no JSON says the line; what is too large is not read, or not sent")
    func bytes() throws {
        #expect(throws: FormFault(place: "line 3", why: "a colon is missing")) {
            try Venue.read(Array("{\n\n \"slug\" 3}".utf8))
        }
        let blank = Array(repeating: UInt8(ascii: " "), count: VenueLimits.file + 1)
        #expect(throws: FormFault(place: "the venue", why: "it has 65537 bytes, 65536 are allowed"))
        {
            try Venue.read(blank)
        }
        // Blanks for people do not count, members do.
        let spaced = VenueFiles.least.line.replacing(
            ",", with: ",\n" + String(repeating: " ", count: 900))
        #expect(spaced.utf8.count > VenueLimits.bytes)
        _ = try Venue.read(Array(spaced.utf8))
        let places = (1...256).map {
            VenueFiles.place(["id": .int($0), "name": .string("Hall \($0)")])
        }
        #expect(fault(["places": .array(places)]).contains("bytes, 8192 are allowed"))
        #expect(fault(["places": .array(Array(places.prefix(120)))]) == "")
    }
}
