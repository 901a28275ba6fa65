// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import GeoClue
@testable import Places
@testable import Protocol
@testable import Text

@Suite("The computer's own position")
struct GeoClueTests {
    private func fix(_ accuracy: Double) throws -> GeoClueFix {
        try #require(GeoClueFix(latitude: 45.5, longitude: -73.5, accuracy: accuracy))
    }

    @Test("What is no number or not on the Earth is no position")
    func checks() throws {
        for (latitude, longitude, accuracy) in [
            (.nan, 2, 3), (91, 2, 3), (-90.0001, 2, 3), (1, 180.5, 3), (1, .nan, 3),
            (1, -.infinity, 3), (1, 2, .nan), (1, 2, .infinity), (1, 2, 3e7),
        ] as [(Double, Double, Double)] {
            let fix = GeoClueFix(latitude: latitude, longitude: longitude, accuracy: accuracy)
            #expect(fix == nil, "\(latitude) \(longitude) \(accuracy)")
        }
        #expect(try fix(-1).accuracy == nil)
        #expect(try fix(0).accuracy == 0)
        #expect(GeoClueFix(latitude: -90, longitude: 180, accuracy: 0) != nil)
        #expect(GeoClueFix(["Latitude": 1, "Longitude": 2])?.accuracy == nil)
        #expect(GeoClueFix(["Latitude": 1, "Accuracy": 2]) == nil)
        #expect(GeoClueFix(["Latitude": 1, "Longitude": 2, "Accuracy": .nan]) == nil)
    }

    @Test("A good position is taken at once, and of rough ones the best within 3 seconds")
    func choice() throws {
        func at(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }
        var choice = FixChoice(until: at(20))
        #expect(!choice.isOver(at: at(19)) && choice.isOver(at: at(20)))
        choice.take(try fix(5000), at: at(4))
        choice.take(try fix(-1), at: at(4))
        choice.take(try fix(300), at: at(5))
        choice.take(try fix(4000), at: at(6))
        #expect(choice.best == (try fix(300)))
        #expect(!choice.isOver(at: at(6)) && choice.isOver(at: at(7)))
        choice.take(try fix(100), at: at(6))
        #expect(choice.isOver(at: at(6)))
        var late = FixChoice(until: at(20))
        late.take(try fix(-1), at: at(19))
        #expect(late.best?.accuracy == nil && late.end == at(20))
    }

    @Test("Degrees become a position; what a driver reads of it is rounded up")
    func device() throws {
        for (latitude, longitude, accuracy) in [
            (.nan, 2, 3), (90.1, 2, 3), (1, 181, 3), (1, 2, -1), (1, 2, .nan),
        ] as [(Double, Double, Double)] {
            let here = DevicePosition(
                latitude: latitude, longitude: longitude, accuracy: accuracy)
            #expect(here == nil, "\(latitude) \(longitude) \(accuracy)")
        }
        for (accuracy, words, isRough) in [
            (0, "within 10 m by GeoClue", false), (21, "within 30 m by GeoClue", false),
            (1000, "within 1.0 km by GeoClue", false), (1000.5, "within 1.0 km by GeoClue", true),
            (25_000, "within 25 km by GeoClue", true),
            (nil, "by GeoClue, which does not say how well", true),
        ] as [(Double?, String, Bool)] {
            let here = try #require(
                DevicePosition(latitude: 45.50170004, longitude: -73.5673, accuracy: accuracy))
            #expect(here.at.text == "45.5017, -73.5673")
            #expect(here.words == words && here.isRough == isRough, "\(words)")
        }
    }

    @Test(
        "Each fault says why, and a line to try; another program's words are cut and made visible")
    func faults() {
        let all: [GeoClueFault] = [
            .absent, .noBus("x"), .notStarted("x"), .noAgent, .denied("no\u{1B}[2J"), .unanswered,
            .noPosition, .gone(""), .impossible,
        ]
        for fault in all {
            let error = fault.error(hasAgent: true)
            #expect(error.why != nil && error.advice != nil, "\(fault)")
            #expect(!error.lines.joined().contains("\u{1B}"))
        }
        #expect(GeoClueFault.absent.error().code == .usage)
        #expect(GeoClueFault.noPosition.error().code == .failed)
        #expect(GeoClueFault.noAgent.error(hasAgent: true).advice == GeoClueFault.agent + " &")
        #expect(
            GeoClueFault.noAgent.error(hasAgent: false).advice
                == "seatagent config set location.command \"cat /run/position\"")
        let long = GeoClueFault.denied(String(repeating: "long ", count: 1000)).error()
        #expect((long.why ?? "").count < 400)
    }

    @Test("A refusal is told from an end and from silence")
    func meanings() {
        let denied = "org.freedesktop.DBus.Error.AccessDenied"
        #expect(GeoClue.fault(.refused(name: denied, text: "x")) == .denied("x"))
        #expect(GeoClue.fault(.refused(name: "a.b", text: "x")) == .gone("x"))
        #expect(GeoClue.fault(.lost("x")) == .gone("x"))
        #expect(GeoClue.fault(.silent) == .noPosition)
        #expect(GeoClue.fault(.odd) == .gone(""))
    }
}
