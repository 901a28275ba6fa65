// SPDX-License-Identifier: Apache-2.0
import Glibc
import Protocol
import Testing

@testable import Agent
@testable import Keys
@testable import Launch
@testable import Profile
@testable import Store
@testable import System
@testable import Text
@testable import Transport

/// A key that leaves a computer, and one that comes (docs/page.md section 8).
@Suite("A key that goes to another computer") struct TakenKeyTests {
    private func isTaken(_ folder: ProfileFolder, renewing: Bool = false) -> Bool {
        do {
            _ = try folder.open(renewing: renewing)
            return false
        } catch {
            guard case .taken(folder.file) = error as? FlightStore.Obstacle else { return false }
            return true
        }
    }

    private func brought(_ seed: [UInt8], floor: Int = 3) throws -> Errand.BroughtKey {
        let primitives = try #require(AgentPrimitives())
        let key = try #require(FlightKey(.flight(.practice), code: nil, primitives: primitives))
        return Errand.BroughtKey(
            seed: seed, auth: key.auth, flight: .practice, isGated: false, floor: floor)
    }

    /// Why it is not stored.
    private func refusal(_ key: Errand.BroughtKey, _ folder: ProfileFolder) -> ErrorCode? {
        do throws(UserError) {
            try FlightStore.bring(key, to: folder.place)
            return nil
        } catch {
            return error.code
        }
    }

    @Test("Nothing starts where it left, no new key is made, and the seed is on no disk")
    func leaves() throws {
        let folder = try ProfileFolder()
        let seed: [UInt8]
        do {
            let opened = try folder.open()
            seed = opened.seed
            try opened.store.markTaken("seatkey1:abc")
            #expect(throws: StoreError.self) { try opened.store.markTaken("seatkey1:other") }
        }
        for _ in 0..<2 { #expect(isTaken(folder) && isTaken(folder, renewing: true)) }
        // Whoever asks while no agent runs is told by a file beside it, also if it was deleted.
        #expect(folder.place.takenKey == "seatkey1:abc")
        unlink(folder.file + ".taken")
        #expect(isTaken(folder) && folder.place.takenKey == "seatkey1:abc")
        for name in ProfileFolder.names(folder.place.dataDirectory) {
            let bytes = try PrivateFile.read(folder.place.dataDirectory + "/" + name) ?? []
            #expect(!bytes.indices.contains { bytes[$0...].starts(with: seed) }, "\(name)")
        }
        // It goes with the flight.
        FlightFiles(place: folder.place).delete(folder.file)
        #expect(folder.place.takenKey == nil)
    }

    @Test("Where it comes, its log is awaited, and it comes once")
    func comes() throws {
        let folder = try ProfileFolder()
        let seed = [UInt8](repeating: 7, count: 32)
        #expect(try refusal(brought(seed), folder) == nil)
        do {
            let opened = try folder.open()
            #expect(opened.seed == seed && opened.floor == 3 && opened.awaitsLog)
            #expect(opened.isRestored && !opened.isRenewed)
        }
        #expect(try folder.open().isRestored)
        #expect(try refusal(brought(seed), folder) == .alreadySo)
        #expect(try refusal(brought([UInt8](repeating: 8, count: 32)), folder) == .notAllowedNow)
        // A file that is gone is missed, and no key made in its place.
        unlink(folder.file)
        #expect(throws: FlightStore.Obstacle.self) { try folder.open() }
    }

    @Test("On a flight with a cabin code it is found by the code, and not without")
    func gated() throws {
        let folder = try ProfileFolder()
        let primitives = try #require(AgentPrimitives())
        let key = try #require(FlightKey(.practice, code: "galley", primitives: primitives))
        let seed = [UInt8](repeating: 9, count: 32)
        let brought = Errand.BroughtKey(
            seed: seed, auth: key.auth, flight: .practice, isGated: true, floor: 2)
        #expect(refusal(brought, folder) == nil)
        let opened = try FlightStore.open(
            .flight(.practice), code: "galley", place: folder.place, primitives: primitives)
        #expect(opened.seed == seed && opened.awaitsLog && opened.flightKey.id == key.id)
        #expect(try folder.open().seed != seed)
    }

    @Test("It takes no place of another key, and what is no key is refused")
    func occupied() throws {
        let folder = try ProfileFolder()
        let seed: [UInt8]
        do {
            let opened = try folder.open()
            seed = opened.seed
            try opened.store.markTaken("seatkey1:abc")
        }
        #expect(try refusal(brought(seed), folder) == .notAllowedNow && isTaken(folder))
        let other = try ProfileFolder()
        #expect(try refusal(brought(Array(seed.dropLast())), other) == .badRequest)
        #expect(try refusal(brought(seed, floor: 0), other) == .badRequest)
        #expect(try refusal(brought(seed), other) == nil)
    }
}
