// SPDX-License-Identifier: Apache-2.0
import Glibc
import Protocol
import Testing

@testable import ControlAPI
@testable import Aviation
@testable import SeatAgent
@testable import System
@testable import Text

@Suite("Layouts at the control desk and on the shelf")
struct CabinDeskTests {
    private func host() throws -> FakeHost { FakeHost(FakeNode(try Voyage())) }

    @Test("The agent tells the layout, takes another, and says which it does not know")
    func using() throws {
        let host = try host()
        #expect(host.result("cabin")?["cabin"] == CabinLayout.standard.json)
        #expect(host.result("status")?["cabin"]?["id"] == "standard")
        #expect(host.result("cabin-use", ["layout": "klm-e190"])?["cabin"]?["id"] == "klm-e190")
        let drawn = try #require(host.result("seats")?["cabin"])
        #expect(CabinLayout(told: drawn) == bundled("klm-e190"))
        let error = host.refusal("cabin-use", ["layout": "klm-e191"])
        #expect(error?.code == .noSuchCabin)
        #expect(error?.advice == "seatagent cabin show klm-e190")
        #expect(host.refusal("cabin-use", ["layout": "../../etc/passwd"])?.code == .noSuchCabin)
        #expect(host.refusal("cabin-use")?.code == .badRequest)
    }

    @Test("On the practice flight seats end where its cabin does, elsewhere labels rule")
    func seats() throws {
        let host = try host()
        #expect(host.refusal("claim", ["seat": "33A"])?.code == .noSuchSeat)
        #expect(
            host.refusal("claim", ["seat": "33A"])?.why
                == "rows go from 1 to 32, letters from A to F")
        host.node.flight = try #require(FlightName("FR202/2026-03-05/DUB"))
        #expect(host.refusal("claim", ["seat": "33A"]) == nil)
        #expect(host.refusal("claim", ["seat": "33Ω"])?.code == .noSuchSeat)
    }

    @Test("An own layout wins over a bundled one, and a wrong one is not used")
    func shelf() throws {
        let folder = "/tmp/seatagent-cabins-\(getpid())"
        let shelf = CabinShelf(directory: folder)
        defer {
            for name in shelf.ownNames { unlink(shelf.path(name)) }
            rmdir(folder)
        }
        #expect(shelf.ownNames.isEmpty)
        #expect(try shelf.find("KLM-E190") == bundled("klm-e190"))
        let own = try CabinLayout(json: bundled("klm-e190").json.adding(["name": "mine"]))
        try shelf.save(own)
        #expect(shelf.ownNames == ["klm-e190"])
        #expect(try shelf.find("klm-e190").name == "mine")
        try PrivateFile.write(Array("{}".utf8), to: shelf.path("klm-e190"))
        let error = #expect(throws: UserError.self) { try shelf.find("klm-e190") }
        #expect(error?.code == .badCabin)
        #expect(error?.why == "version: this program reads version 1")
        try PrivateFile.write(own.bytes, to: shelf.path("other"))
        #expect(throws: UserError.self) { try shelf.find("other") }
    }
}
