// SPDX-License-Identifier: Apache-2.0
import CivilTime
import ControlAPI
import Protocol
import Testing

@testable import Terminal
@testable import Text
@testable import Venues
@testable import View

/// A venue as its agent would tell it, for tests of the view: Saturday, 5 December 2026, at noon.
struct InLibrary {
    var state: ViewState

    /// The venue of these words; the example of study places without any.
    init(
        _ words: String? = nil, width: Int = 80, height: Int = 24,
        at time: String = "2026-12-05T11:00:00Z"
    ) throws {
        let venue = words.map { try? Venue.read(Array($0.utf8)) } ?? VenueExample.study.venue
        let text = venue.map { String(decoding: $0.bytes, as: UTF8.self) } ?? words ?? ""
        let now = try #require(RFC3339.parse(time))
        let zone = venue.flatMap { TimeZoneRules.named($0.zone) }
        // Of a venue that meets by the day it is always the agent of one day.
        let days = zone.flatMap { venue?.volume(at: now, $0) }
            .flatMap { $0.kind == .day ? nil : $0.text }
        let volume = days ?? "2026-12-05"
        let status = Self.status(text, slug: venue?.slug ?? "uva", volume: volume)
        state = ViewState(venue: VenueScene(status))
        state.size = Grid.Point(x: width, y: height)
        state.venue?.zone = venue.flatMap { TimeZoneRules.named($0.zone) }
        state.tell(try #require(RFC3339.parse(time)))
        answer(
            .status,
            [
                "me": Self.kiki, "aboard": 2, "linked": 2, "alone": .null, "window": .null,
                "flight": ["practice": false, "designator": "uva"],
            ])
        answer(.peers, ["peers": [Self.bo]])
        state.stale = []
    }

    static let kiki = Aboard.who("kiki", nil, me: true)
    static let bo = Aboard.who("bo", nil)

    static func status(
        _ words: String, slug: String = "uva", volume: String = "2026-12-05", revision: Int = 1
    ) -> VenueStatus {
        VenueStatus(
            venue: slug, volume: volume, runBy: OperatorKey(Bytes32.zero).text, revision: revision,
            words: words, signature: "", places: [], stay: nil, isIn: false, known: 0, linked: 6)
    }

    /// So many people are at each place.
    mutating func count(_ people: [Int: Int]) {
        let list = people.sorted { $0.key < $1.key }.map {
            PlaceCount(place: $0.key, people: $0.value)
        }
        _ = state.handle(
            event: ControlEvent(at: nil, .attendance(AttendanceNews(places: list))))
    }

    /// The user is there since 09:12 by the venue's clocks.
    mutating func comes(to place: Int, since: String = "2026-12-05T08:12:00Z") throws {
        guard var status = state.venue?.status else { return }
        let began = try #require(RFC3339.parse(since))
        let stay = try #require(Stay(place: place, since: began))
        status.stay = StayFacts(stay, closes: nil)
        status.isIn = true
        answer(.venue, JSON(status))
    }

    mutating func answer(_ purpose: Purpose, _ result: JSON) {
        _ = state.answered(purpose, .success(result))
    }

    @discardableResult
    mutating func press(_ keys: Key...) -> [ViewIntent] { keys.flatMap { state.handle($0) } }

    @discardableResult
    mutating func type(_ text: String) -> [ViewIntent] {
        text.flatMap { state.handle(.letter($0)) }
    }

    /// Answers a question, once it can be read.
    mutating func say(_ letter: Character) -> [ViewIntent] {
        state.now = state.now + .seconds(1)
        return press(.letter(letter))
    }

    /// What its commands are, without the options that name the venue.
    static func words(_ intents: [ViewIntent]) -> [[String]] {
        intents.flatMap { intent -> [[String]] in
            guard case .errands(let list) = intent else { return [] }
            return list.map { Array($0.words.prefix { $0 != "--venue" }) }
        }
    }

    var screen: [String] { ScreenPicture.draw(state).lines }
}
