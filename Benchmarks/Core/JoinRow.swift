// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit
import Store
import Transport

/// Row 4: 192 authors with 60 entries each, received, checked, stored and
/// folded by one who comes late.
enum JoinRow {
    static let passengers = 192
    static let entriesEach = 60

    static func measure(folder: String, rounds: Int) {
        var cabin = Core.cabin(passengers)
        cabin.fill(entriesEach)
        let signed = cabin.logs.logs.flatMap { $0.entries.map(SignedBytes.init) }
        Sample.print("join.entries", Double(signed.count), "entries")
        let place = Folder(folder)
        defer { place.remove() }
        for round in 0..<rounds {
            let store: Store
            do {
                store = try Store(
                    path: place.file("join-\(round).db"), primitives: Core.primitives)
            } catch {
                fail("no store: \(error.words)")
            }
            let counting = CountingPrimitives(Core.primitives)
            var arrival = Arrival(cabin, primitives: counting, store: store)
            let checks = BareChecks(of: signed)
            arrival.onStored = checks.make
            arrival.run()
            guard checks.made == signed.count else { fail("\(checks.made) were checked") }
            Sample.print("join.checks", checks.time, per: 1, "ms", 1e6)
            var all = arrival.core
            all += arrival.disk
            Sample.print("join.all", all, per: 1, "ms", 1e6)
            Sample.print("join.core", arrival.core, per: 1, "ms", 1e6)
            Sample.print("join.store", arrival.disk, per: 1, "ms", 1e6)
            Sample.print("join.turns", Double(arrival.turns), "turns")
            Sample.print("join.verified", Double(counting.tally.verified), "signatures")
        }
    }

    /// Our own part alone, for callgrind: a quarter of the cabin, no signature
    /// checked, nothing stored.
    static func count() {
        var cabin = Core.cabin(48)
        cabin.fill(entriesEach)
        let trusting = CountingPrimitives(Core.primitives, trusts: true)
        let all = cabin
        let tokens = counted {
            var arrival = Arrival(all, primitives: trusting, store: nil, neighbours: 2)
            arrival.run()
            return arrival.node.fold.tokens.count
        }
        guard tokens >= 48 else { fail("\(tokens) tokens") }
    }
}

/// A line of chat through session and core.
enum LineRow {
    /// Our own part alone, for callgrind: lines of 24 passengers, a frame and a turn each, no
    /// signature checked, nothing stored.
    static func count() {
        var cabin = Core.cabin(24)
        cabin.fill(4)
        var arrival = Arrival(
            cabin, primitives: CountingPrimitives(Core.primitives, trusts: true), store: nil,
            neighbours: 2)
        arrival.run()
        let before = arrival.stored
        let lines = (0..<240).compactMap { cabin.talk(2, by: $0 % 24) }
        arrival.hear(lines, on: 1) { take in counted { take() } }
        guard arrival.stored - before == lines.count else { fail("a line was not taken") }
    }
}

/// The signature checks alone. As many as a turn has kept are made behind it: what slows the
/// machine down for a moment slows both.
private final class BareChecks {
    private let signed: [SignedBytes]
    private(set) var made = 0
    private(set) var time = Clock()

    init(of signed: [SignedBytes]) { self.signed = signed }

    func make(_ count: Int) {
        guard made + count <= signed.count else { fail("more was kept than there is") }
        let next = signed[made..<made + count]
        let (time, good) = Clock.measure { next.count { $0.isSigned } }
        guard good == count else { fail("a signature is wrong") }
        made += count
        self.time += time
    }
}

/// Counts signature checks; for callgrind it can leave them out.
struct CountingPrimitives: Primitives {
    /// Of one thread.
    final class Tally: @unchecked Sendable {
        var verified = 0
    }

    let tally = Tally()
    private let real: AgentPrimitives
    private let trusts: Bool

    init(_ real: AgentPrimitives, trusts: Bool = false) {
        self.real = real
        self.trusts = trusts
    }

    func sha256(_ message: [UInt8]) -> Bytes32 { real.sha256(message) }

    func sha256(_ label: StaticString, _ bytes: RawSpan) -> Bytes32 { real.sha256(label, bytes) }

    func hmacSHA256(key: [UInt8], _ message: [UInt8]) -> Bytes32 {
        real.hmacSHA256(key: key, message)
    }

    func argon2id(_ password: [UInt8], salt: [UInt8]) -> Bytes32? {
        real.argon2id(password, salt: salt)
    }

    func verify(_ signature: [UInt8], _ message: [UInt8], by key: PeerKey) -> Bool {
        tally.verified += 1
        return trusts || real.verify(signature, message, by: key)
    }
}
