// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Foundation
import Testing

@testable import Agent
@testable import Launch
@testable import Profile
@testable import System
@testable import Text

@Suite("A key whose flight is forgotten")
struct ForgottenKeyTests {
    /// Its log is closed, and the file with the sealed text goes with the flight.
    @Test("It does not leave an agent that forgets the flight")
    func forgotten() throws {
        let home = FileManager.default.temporaryDirectory
            .appending(path: "seatagent-taken-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: home) }
        let place = try ProfilePlace(
            profile: .standard, environment: ["HOME": home.path], uid: geteuid())
        let options = try AgentOptions(
            [
                "seat": ["14C"], "name": ["ada"], "no-mdns": [""], "port": ["0"],
                "interface": ["lo"],
            ], place: place, foreground: true)
        let agent = try Agent(options, environment: [:])
        agent.forget()
        var answer: Result<Op.TakeKey.Reply, UserError>?
        agent.takeKey(Array("correct horse battery".utf8)) { answer = $0 }
        guard case .failure(let error) = answer else {
            Issue.record("not refused")
            return
        }
        #expect(error.code == .logClosed && error.why?.contains("forgets the flight") == true)
        #expect(agent.taken == nil)
    }
}
