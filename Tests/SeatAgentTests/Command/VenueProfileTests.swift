// SPDX-License-Identifier: Apache-2.0
import Foundation
import Protocol
import Testing

@testable import Grammar
@testable import Launch
@testable import Profile
@testable import SeatAgent
@testable import Text
@testable import Venues

@Suite("The profile of a venue's agent")
struct VenueProfileTests {
    private func place(_ name: String, in home: String) throws -> ProfilePlace {
        try ProfilePlace(profile: try ProfileName(name), environment: ["HOME": home])
    }

    /// A home in which agents of these venues ran in these profiles.
    private func home(_ started: [(profile: String, slug: String)]) throws -> String {
        let home = FileManager.default.temporaryDirectory
            .appending(path: "venue-profile-\(UUID().uuidString)").path
        for (profile, slug) in started {
            let key = OperatorKey(Bytes32.zero).text
            let options = StoredOptions(
                values: ["venue": ["\(slug)/2026-12-05/\(key)"]], at: UTCTime(seconds: 0))
            try options.write(try place(profile, in: home))
        }
        return home
    }

    @Test("It is found again whose venue it is, for names of any length")
    func owner() throws {
        let long = String(repeating: "b", count: 24)
        let names = try [("default", "uva"), ("ada_x", "dreamland/gent"), ("kiki", long)].map {
            (base, slug) in
            (
                base, slug,
                try VenueProfile.name(of: try ProfileName(base), slug: slug).text
            )
        }
        let home = try home(names.map { ($0.2, $0.1) })
        defer { try? FileManager.default.removeItem(atPath: home) }
        for (base, slug, profile) in names {
            let found = try #require(VenueProfile.owner(of: try place(profile, in: home)))
            #expect(found.base.profile.text == base && found.slug == slug)
            #expect(profile.utf8.count <= 32)
        }
        // Nobody's venue: another name, or an agent of a flight.
        for name in ["default", "ada_x"] {
            let other = try place(name, in: home)
            #expect(VenueProfile.owner(of: other) == nil)
        }
        try StoredOptions(values: ["seat": ["14C"]], at: UTCTime(seconds: 0))
            .write(try place("default_uva", in: home))
        let flight = try place("default_uva", in: home)
        #expect(VenueProfile.owner(of: flight) == nil)
    }

    @Test("A line that works names the profile, unless everybody has it")
    func line() {
        #expect(
            VenueProfile.line("venue open uva", profile: "default_uva", slug: "uva")
                == "seatagent venue open uva")
        #expect(
            VenueProfile.line("venue open uva", profile: "ada_uva", slug: "uva")
                == "seatagent --profile ada_uva venue open uva")
    }

    @Test("Commands of venues mean the user, also with the profile of the agent")
    func meant() throws {
        let home = try home([("default_uva", "uva")])
        defer { try? FileManager.default.removeItem(atPath: home) }
        let session = CommandSession(console: Console(input: ""), environment: ["HOME": home])
        func profile(_ words: String...) throws -> String {
            let line = try session.parser.parse(["--profile", "default_uva"] + words)
            return try Invocation(line, session: session, profile: nil).place.profile.text
        }
        for words in [["venue"], ["checkin"], ["friend", "allow"], ["park"], ["profile"]] {
            let line = try session.parser.parse(["--profile", "default_uva"] + words)
            let call = try Invocation(line, session: session, profile: nil)
            #expect(call.place.profile.text == "default", "\(words)")
        }
        #expect(try profile("peers") == "default_uva")
        #expect(try profile("status") == "default_uva")
        // What is erased is what was named.
        #expect(try profile("profile", "delete") == "default_uva")
    }
}
