// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit
import Testing

/// A log that is written by hand.
struct Writer {
    let signer: FakeSigner
    let codec = EntryCodec(FakePrimitives())
    var entries: [Entry] = []

    init(_ number: UInt8) { signer = FakeSigner(number) }

    var key: PeerKey { signer.key }

    /// The next entry.
    @discardableResult
    mutating func write(_ body: EntryBody) throws -> Entry {
        let entry = try codec.sign(
            body, flight: testFlight.id, seq: entries.count + 1, previous: entries.last?.id,
            by: signer)
        entries.append(entry)
        return entry
    }

    /// A log that is open and claims `seat`.
    static func seated(_ number: UInt8, _ seat: String) throws -> Writer {
        var writer = Writer(number)
        try writer.write(.genesis(name: "p\(number)", agent: "test"))
        try writer.write(.claim(seat: try require(Seat(seat)), dependant: false))
        return writer
    }
}

extension World {
    /// An empty world, in which a broken rule is an issue of the test.
    init() { self.init { Issue.record("\($0)") } }
}
