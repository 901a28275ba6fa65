// SPDX-License-Identifier: Apache-2.0
import Foundation
import Protocol
import Testing

@testable import PageShell
@testable import Profile
@testable import System
@testable import Text
@testable import Web

@Suite("Guests of a server that starts anew, and who may stay")
struct GuestDeskTests {
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("seatagent-\(UUID().uuidString)").path

    private func house(
        _ loop: EventLoop, isOpen: Bool = true, options: [String: JSON] = [:]
    ) throws -> GuestHouse {
        let host = try ProfilePlace(
            profile: ProfileName("ada"),
            environment: ["HOME": folder, "XDG_RUNTIME_DIR": folder + "/r"])
        return GuestHouse(
            host, options: options, program: "/bin/false", isOpen: isOpen, joinsInMinute: 9,
            loop: loop)
    }

    private func key(_ number: UInt8) throws -> Bytes32 {
        try #require(Bytes32([UInt8](repeating: number, count: 32)))
    }

    @Test("A taken key is known at once, and its text goes only with a word for it")
    func taken() throws {
        defer { Folder.remove(folder) }
        let loop = try EventLoop()
        let shelf = try house(loop).shelf
        for number in [3, 4] {
            try shelf.prepare(number, ["options": ["name": ["mia"]]])
            try shelf.give(number, to: key(UInt8(number)))
        }
        let place = try #require(shelf.place(of: 3))
        try PrivateFile.write(
            Array("seatkey1:abc\n".utf8),
            to: place.dataDirectory + "/flight.db" + ProfilePlace.takenEnd)
        // Whose host says that they share a computer is found again.
        #expect(shelf.noted(3) == nil)
        shelf.note("ab12", of: 3)
        #expect(shelf.noted(3) == "ab12" && shelf.noted(4) == nil)
        let desk = GuestDesk(
            try house(loop), limits: GuestIdle.Limits(), loop: loop,
            random: { [UInt8](repeating: 1, count: $0) })
        desk.begin()
        #expect(desk.isTaken(3) && !desk.isTaken(4))
        func leave(_ deletesText: Bool) -> Bool {
            var isDone = false
            desk.leave(3, deletesText: deletesText) { if case .success = $0 { isDone = true } }
            return isDone
        }
        let page = try key(3)
        #expect(!leave(false))
        #expect(desk.number(of: page) == 3)
        #expect(leave(true))
        #expect(desk.number(of: page) == nil)
    }

    @Test("A name counts from when somebody asks to come in with it")
    func expected() throws {
        defer { Folder.remove(folder) }
        var now = Instant(nanoseconds: 1_000_000_000)
        let loop = try EventLoop(clock: { now })
        let house = try house(loop, isOpen: false, options: ["venue": ["rec"]])
        let wish = try GuestWish(["name": "Mia"], inVenue: true)
        let page = try key(1)
        #expect(!house.expects("mia"))
        #expect(house.join(page, wish, from: nil) == .waits)
        #expect(house.expects("MIA") && !house.expects("leo"))
        let desk = GuestDesk(
            house, limits: GuestIdle.Limits(), loop: loop,
            random: { [UInt8](repeating: 1, count: $0) })
        var error: UserError?
        desk.join(try key(2), ["name": "mia"], from: nil) { result in
            if case .failure(let refusal) = result { error = refusal }
        }
        #expect(error?.code == .nameRefused)
        // Who waits and does not ask any more holds no name.
        now = now + .seconds(31)
        loop.turn(waitingAtMost: .zero)
        #expect(!house.expects("mia"))
        house.finish()
    }

    @Test("In a venue, who is in, has a booking, asks the desk or wants to be a member stays")
    func facts() {
        func isBusy(
            _ isIn: Bool = false, own: [JSON] = [], asks: [JSON] = [], forms: [JSON] = []
        ) -> Bool? {
            GuestFacts.inVenue([
                ["in": .bool(isIn)], ["own": .array(own), "asks": .array(asks)],
                ["forms": .array(forms)],
            ])?.hasOpenYes
        }
        #expect(isBusy() == false)
        #expect(isBusy(true) == true && isBusy(own: [[:]]) == true && isBusy(asks: [[:]]) == true)
        for (kind, state, stays) in [
            ("join", "waiting", true), ("join", "kept", true), ("join", "refused", false),
            ("join", "admitted", false), ("join", "unknown", false), ("permit", "kept", false),
        ] {
            let form = ["kind": .string(kind), "state": .string(state)] as JSON
            #expect(isBusy(forms: [form]) == stays, "\(kind) \(state)")
        }
        // What does not say how it is sends nobody away.
        #expect(GuestFacts.inVenue([["in": false], ["own": [], "asks": []]]) == nil)
        #expect(GuestFacts.inVenue([[:], [:], [:]]) == nil)
        let request = ["needs_answer": false] as JSON
        let aboard = GuestFacts.aboard([["me": ["seats": ["14B"]]], ["requests": [request]]])
        #expect(aboard == GuestIdle.Facts(hasSeat: true, hasOpenYes: true))
        #expect(GuestFacts.aboard([["me": ["seats": []]], [:]]) == nil)
    }
}
