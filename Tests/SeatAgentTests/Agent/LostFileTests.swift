// SPDX-License-Identifier: Apache-2.0
import Foundation
@testable import Agent
@testable import Launch
import Testing

@testable import Profile
@testable import Protocol
@testable import Store
@testable import System
@testable import Text
@testable import Transport

@Suite("An agent whose file is lost")
struct LostFileTests {
    /// A core that is ahead of the disk would go on with records that others never get.
    @Test("Nothing is stored or done any more, not even if the disk works again")
    func nothingBehindTheLoss() throws {
        let home = FileManager.default.temporaryDirectory
            .appending(path: "seatagent-lost-\(UUID().uuidString)")
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
        let store = agent.opened.store
        func block(_ byte: UInt8) throws -> Result<IntentReply, Refusal>? {
            var answer: Result<IntentReply, Refusal>?
            let key = try #require(PeerKey(Array(repeating: byte, count: 32)))
            agent.perform(.block(key, true)) { answer = $0 }
            agent.carryOut()
            return answer
        }
        #expect(try block(1) == .success(.done))
        try store.database.execute("ALTER TABLE blocked RENAME TO gone")
        #expect(try block(2) == .failure(.disk))
        #expect(agent.fileLoss != nil)
        try store.database.execute("ALTER TABLE gone RENAME TO blocked")
        #expect(try block(3) == .failure(.disk))
        #expect(try store.load().blocked.map(\.bytes.first) == [1])
    }

    /// What one core ordered for the next turn is no event of the core that takes its place.
    @Test("Orders of an old core come to nothing")
    func ordersOfAnOldCore() throws {
        let loop = try EventLoop()
        let sockets = try ListenSockets(port: 0, interface: "lo")
        let links = try LinkTable(sockets, seed: Array(repeating: 7, count: 32), loop: loop)
        var events: [NodeEvent] = []
        links.onEvent = { events.append($0) }
        func order() {
            links.obey(.begin(CircuitID(1), .initiator))
            links.dial(Dial(number: 1, address: PeerAddress(host: "no address", port: 9)))
        }
        order()
        loop.turn(waitingAtMost: .zero)
        #expect(events.contains(.dialFailed(1)))
        #expect(events.contains { if case .sealed = $0 { true } else { false } })
        events = []
        order()
        links.abortAll()
        loop.turn(waitingAtMost: .zero)
        #expect(events.isEmpty)
        links.closeAll(within: .zero)
    }
}
