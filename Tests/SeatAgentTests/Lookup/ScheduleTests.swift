// SPDX-License-Identifier: Apache-2.0
@testable import Terminal
import Testing

@testable import CivilTime
@testable import Profile
@testable import Protocol
@testable import SeatAgent
@testable import Trips

/// What a schedule service is asked, and what is made of its answers. The
/// shapes are AviationEdge's.
@Suite struct ScheduleTests {
    private static let today = """
        [{"airline":{"iataCode":"FR","icaoCode":"RYR","name":"Ryanair"},
          "arrival":{"actualTime":null,"baggage":"7","delay":null,"gate":null,"iataCode":"STN",
            "icaoCode":"EGSS","scheduledTime":"2026-03-05T07:50:00.000","terminal":null},
          "codeshared":null,
          "departure":{"delay":"12","estimatedTime":"2026-03-05T06:42:00.000","gate":"103",
            "iataCode":"DUB","icaoCode":"EIDW","scheduledTime":"2026-03-05T06:30:00.000",
            "terminal":"1"},
          "flight":{"iataNumber":"FR202","icaoNumber":"RYR202","number":"202"},
          "status":"scheduled","type":"departure"}]
        """
    private static let later = """
        [{"weekday":"4","departure":{"iataCode":"dub","icaoCode":"eidw","terminal":"1","gate":"",
          "scheduledTime":"06:30"},"arrival":{"iataCode":"stn","icaoCode":"egss","terminal":"",
          "gate":"","scheduledTime":"07:50"},
          "aircraft":{"modelCode":"b738","modelText":"boeing 737"},
          "airline":{"name":"ryanair","iataCode":"fr","icaoCode":"ryr"},
          "flight":{"number":"202","iataNumber":"fr202","icaoNumber":"ryr202"}}]
        """

    private static func flight(_ text: String = "FR202/2026-03-05/DUB") throws -> FlightName {
        try #require(FlightName(text))
    }

    private static func found(
        _ answer: String, _ flight: String = "FR202/2026-03-05/DUB"
    ) throws -> ScheduledFlight? {
        guard
            case .found(let found) = ScheduleAnswer(
                Array(answer.utf8), for: try Self.flight(flight))
        else { return nil }
        return found
    }

    @Test func theServiceLearnsNoNumber() throws {
        let base = "https://aviation-edge.com/v2/public"
        let flight = try Self.flight()
        #expect(
            ScheduleQuestion(flight: flight, isToday: false).url(base: base, key: "k-1")
                == base + "/flightsFuture?key=k-1&type=departure&iataCode=DUB&date=2026-03-05"
                + "&airline_iata=FR")
        #expect(
            ScheduleQuestion(flight: flight, isToday: true).url(base: base, key: "k-1")
                == base + "/timetable?key=k-1&type=departure&iataCode=DUB&airline_iata=FR")
    }

    /// easyJet's flights are U2, EC or DS there, and one flight all the same.
    @Test func aFamilyIsOneAirline() throws {
        let flight = try Self.flight("U28724/2026-03-05/DUB")
        let url = ScheduleQuestion(flight: flight, isToday: true).url(base: "http://b", key: "k")
        #expect(url == "http://b/timetable?key=k&type=departure&iataCode=DUB")
        for spelling in ["EC8724", "ds8724", "EZY8724", "U28724"] {
            let answer = Self.today.split(separator: "FR202").joined(separator: spelling)
            #expect(try Self.found(answer, flight.text) != nil)
        }
        let other = Self.today.split(separator: "FR202").joined(separator: "EC8725")
        #expect(try Self.found(other, flight.text) == nil)
    }

    @Test(arguments: [today, later])
    func bothListsAreRead(answer: String) throws {
        let found = try #require(try Self.found(answer))
        #expect(found.to == "STN")
        #expect(found.departs?.text == "2026-03-05T06:30")
        #expect(found.arrives?.text == "2026-03-05T07:50")
        #expect(found.operatedAs == nil)
    }

    @Test func otherFlightsAreNotTaken() throws {
        #expect(try Self.found(Self.today, "FR203/2026-03-05/DUB") == nil)
        #expect(try Self.found(Self.today, "FR202/2026-03-06/DUB") == nil)
        #expect(try Self.found(Self.today, "FR202/2026-03-05/STN") == nil)
        #expect(try Self.found("[]") == nil)
    }

    /// Without a date the arrival is the first such time after departure.
    @Test(
        arguments: [
            ("AKL", "LAX", "01:00", "16:05", "2026-03-04T16:05"),
            ("HNL", "AKL", "23:50", "08:00", "2026-03-07T08:00"),
            ("DUB", "STN", "23:30", "00:45", "2026-03-06T00:45"),
            ("DUB", "XHJ", "23:30", "00:45", nil),
        ] as [(String, String, String, String, String?)])
    func arrivals(from: String, to: String, leaves: String, comes: String, arrives: String?) throws
    {
        let answer = """
            [{"departure":{"iataCode":"\(from)","scheduledTime":"\(leaves)"},
            "arrival":{"iataCode":"\(to)","scheduledTime":"\(comes)"},
            "flight":{"iataNumber":"zz6"}}]
            """
        let found = try #require(try Self.found(answer, "ZZ6/2026-03-05/\(from)"))
        #expect(found.arrives?.text == arrives)
    }

    @Test(arguments: [
        (#"{"error":"No Record Found","success":false}"#, ScheduleAnswer.unknown),
        ("[]", .unknown), ("[1,null,{}]", .unknown),
        (#"{"error":"Invalid API Key"}"#, .failed("the service says: Invalid API Key")),
        ("{}", .failed("the service says: ?")),
        ("<html>", .failed("the service did not answer in the form that is known")),
        ("", .failed("the service did not answer in the form that is known")),
    ])
    func otherAnswers(text: String, answer: ScheduleAnswer) throws {
        #expect(ScheduleAnswer(Array(text.utf8), for: try Self.flight()) == answer)
    }

    @Test func wordsOfAServiceReachNoTerminalAsTheyAre() throws {
        let hostile = Array(#"{"error":"\u001b[31m\nred"}"#.utf8)
        guard case .failed(let why) = ScheduleAnswer(hostile, for: try Self.flight()) else {
            Issue.record("it is no answer")
            return
        }
        #expect(why.unicodeScalars.allSatisfy { $0.value >= 0x20 })
    }

    @Test func whatThePassengerSaidStays() throws {
        var trip = Trip(flight: try Self.flight(), added: UTCTime(seconds: 0))
        let found = try #require(try Self.found(Self.today))
        let all = trip.completed(by: found)
        #expect(all.trip.to == "STN")
        #expect(all.trip.departs?.text == "2026-03-05T06:30")
        #expect(all.trip.arrives?.text == "2026-03-05T07:50")
        #expect(all.differences.isEmpty)
        trip.departs = LocalMinute("2026-03-05T06:45")
        let some = trip.completed(by: found)
        #expect(some.trip.departs?.text == "2026-03-05T06:45")
        #expect(some.differences == ["it departs at 2026-03-05 06:30 there"])
        trip.to = "LTN"
        #expect(trip.completed(by: found).trip.arrives == nil)
    }

    @Test func whoFliesIt() throws {
        let shared = Self.today.replacing(
            "\"codeshared\":null",
            with: #""codeshared":{"airline":{"iataCode":"lh"},"flight":{"iataNumber":"lh440"}}"#)
        let found = try #require(try Self.found(shared))
        #expect(found.operatedAs == "LH440")
        let trip = Trip(flight: try Self.flight(), added: UTCTime(seconds: 0))
        #expect(
            trip.completed(by: found).differences
                == ["LH440 is the number of the airline that flies it"])
    }

    @Test func settings() {
        for base in ["https://a.example/v2", "http://127.0.0.1:8080", "http://[::1]:80/x"] {
            #expect(LookupSetting.isBase(base), "\(base)")
        }
        for base in [
            "", "http://a.example", "https://", "https://a/", "https://a b", "https://a\"",
            "file:///x",
            "https://a?x=1", "http://127.0.0.1.evil.example", "http://127.0.0.1@evil.example",
        ] {
            #expect(!LookupSetting.isBase(base), "\(base)")
        }
        #expect(LookupSetting.isKey("0a1b2c-3d4e5f"))
        for key in ["", "a b", "a&b", "a\"b", "é", String(repeating: "a", count: 129)] {
            #expect(!LookupSetting.isKey(key), "\(key)")
        }
    }
}
