// SPDX-License-Identifier: Apache-2.0
@testable import Agent
@testable import Launch
import Discovery
import Protocol
import Testing

@testable import Profile
@testable import SeatAgent
@testable import System

@Suite("Whether people can be found")
struct PeerFinderTests {
    @Test("A label that somebody else has lights no red line; a daemon that is gone does")
    func labelTaken() throws {
        let place = try ProfilePlace(
            profile: .standard, environment: ["HOME": "/home/ada"], uid: 1000)
        let options = try AgentOptions(["seat": ["14C"]], place: place, foreground: true)
        let finder = PeerFinder(options, port: 7711, loop: try EventLoop())
        var told = 0
        finder.onTrouble = { told += 1 }
        finder.tell(.trouble(.labelTaken(chosen: "x #2")))
        #expect(finder.trouble == nil && told == 0)
        finder.tell(.trouble(.daemonLost))
        // It takes nothing away either.
        finder.tell(.trouble(.labelTaken(chosen: "x #2")))
        #expect(finder.trouble == .daemonLost && told == 1)
    }
}
