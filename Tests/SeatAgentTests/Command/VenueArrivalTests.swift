// SPDX-License-Identifier: Apache-2.0
import Discovery
import Protocol
import Testing

@testable import Agent
@testable import CivilTime
@testable import Launch
@testable import Profile
@testable import SeatAgent
@testable import System
@testable import Text
@testable import Venues

@Suite("A venue of which only the sign is known, and one that is announced")
struct VenueArrivalTests {
    private func known(_ kind: Volume.Kind) throws -> KnownVenue {
        let link = try #require(
            VenueLink(slug: "uva", runBy: OperatorKey(Bytes32.zero), kind: kind))
        return KnownVenue(link: link, signed: nil, since: UTCTime(seconds: 0))
    }

    @Test("It may be any day that it is somewhere on earth, each once, first the own one")
    func days() throws {
        let noon = try #require(RFC3339.parse("2026-12-05T12:30:00Z"))
        let names = VenueArrival.names(try known(.day), at: noon)
        let local = try #require(LocalDay(noon))
        #expect(names.first?.volume.text == local.text)
        #expect(Set(names.map(\.volume.text)) == ["2026-12-05", "2026-12-06"])
        let evening = try #require(RFC3339.parse("2026-12-05T10:30:00Z"))
        let more = VenueArrival.names(try known(.day), at: evening).map(\.volume.text)
        #expect(Set(more) == ["2026-12-04", "2026-12-05", "2026-12-06"])
        #expect(VenueArrival.names(try known(.month), at: noon).map(\.volume.text) == ["2026-12"])
    }

    @Test("An agent starts with the name alone, whose days are as long as anywhere on earth")
    func wordless() throws {
        for volume in ["2026-12-05", "2026-W49", "2026"] {
            let name = try #require(
                VenueName("uva/\(volume)/" + OperatorKey(Bytes32.zero).text))
            let start = try VenueStart(wordless: name)
            let again = try #require(try VenueStart(start.values))
            #expect(again == start && again.page == nil && again.setup.page == nil)
            #expect(!VenueStart.hasWords(start.values))
            let first = start.name.volume.first.number
            let begin = UTCTime(seconds: 946_684_800 + Int64(first) * 86_400 - 14 * 3600)
            #expect(start.hours.dayEnd(after: begin) != nil)
            #expect(start.hours.dayEnd(after: UTCTime(seconds: begin.seconds - 1)) == nil)
        }
        // Words of which a part is lost are no name alone.
        let name = "uva/2026-12-05/" + OperatorKey(Bytes32.zero).text
        let error = #expect(throws: UserError.self) {
            _ = try VenueStart(["venue": [name], "venue-words": ["{}"]])
        }
        #expect(error?.code == .usage)
    }

    @Test("Only a start that names the venue's own key announces it, and says so once it is")
    func announced() throws {
        let name = try #require(
            VenueName("uva/2026-12-05/" + OperatorKey(Bytes32.zero).text))
        var start = try VenueStart(wordless: name)
        let place = try ProfilePlace(
            profile: .standard, environment: ["HOME": "/home/ada"], uid: 1000)
        func finder(_ values: [String: [String]]) throws -> PeerFinder {
            PeerFinder(
                try AgentOptions(values, place: place, foreground: true), port: 7711,
                loop: try EventLoop())
        }
        #expect(try finder(start.values).isVenueAnnounced == nil)
        start.announced = start.link
        #expect(try VenueStart(start.values) == start)
        #expect(VenueStart.isAnnounced(start.values, by: name.runBy))
        let other = start.values.merging(
            [VenueStart.announcedOption: [String(repeating: "b", count: 51) + "a"]]) { $1 }
        #expect(try VenueStart(other)?.announced == nil)
        #expect(try finder(other).isVenueAnnounced == nil)
        #expect(
            try finder(start.values.merging(["no-mdns": [""]]) { $1 }).isVenueAnnounced == nil)
        let own = try finder(start.values)
        #expect(own.isVenueAnnounced == false)
        own.tellOfVenue(.registered(label: "x"))
        own.tellOfVenue(.trouble(.labelTaken(chosen: "x #2")))
        #expect(own.isVenueAnnounced == true)
        own.tellOfVenue(.trouble(.daemonLost))
        #expect(own.isVenueAnnounced == false && own.trouble == nil)
    }
}
