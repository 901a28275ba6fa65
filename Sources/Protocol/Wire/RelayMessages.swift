// SPDX-License-Identifier: Apache-2.0
/// Circuits through a third agent: an ordinary TLS session of two others, sealed (docs/protocol.md
/// section 24).
///
/// A circuit has a number on each of its two connections. Who opens it chooses the number: odd ones
/// where they are the TLS client of that connection, even ones where they are its server.
package enum RelayMessage: Hashable, Sendable {
    /// RELAY_OPEN. To the relay: the passenger to be reached. From the relay
    /// (`isIncoming`): who wants to reach us.
    case open(Int, PeerKey, isIncoming: Bool)
    /// RELAY_READY: the far end takes part.
    case ready(Int)
    /// RELAY_DATA: 1 byte to 16 KiB of TLS.
    case data(Int, [UInt8])
    /// RELAY_TOOK: so many bytes of data reached their end; as many may follow.
    case took(Int, Int)
    /// RELAY_END: the circuit is over.
    case end(Int, EndReason)

    /// Why a circuit ended.
    package enum EndReason: Int, CaseIterable, Sendable {
        /// One end closed it.
        case closed = 0
        /// The relay has no link with that passenger.
        case notLinked = 1
        /// The relay carries as much as it is willing to.
        case full = 2
        /// The far end does not want it.
        case refused = 3
        /// The circuit used up its bytes or its time.
        case spent = 4
    }

    /// The circuit's number on this connection.
    package var circuit: Int {
        switch self {
        case .open(let circuit, _, _), .ready(let circuit), .data(let circuit, _),
            .took(let circuit, _), .end(let circuit, _):
            circuit
        }
    }

    var type: FrameType {
        switch self {
        case .open: .relayOpen
        case .ready: .relayReady
        case .data: .relayData
        case .took: .relayTook
        case .end: .relayEnd
        }
    }

    func write(to writer: inout CBORWriter) {
        switch self {
        case .open(let circuit, let key, let isIncoming):
            writer.array(3)
            writer.uint(circuit)
            writer.value(key)
            writer.uint(isIncoming ? 1 : 0)
        case .ready(let circuit):
            writer.array(1)
            writer.uint(circuit)
        case .data(let circuit, let bytes):
            writer.array(2)
            writer.uint(circuit)
            writer.bytes(bytes)
        case .took(let circuit, let count):
            writer.array(2)
            writer.uint(circuit)
            writer.uint(count)
        case .end(let circuit, let reason):
            writer.array(2)
            writer.uint(circuit)
            writer.uint(reason.rawValue)
        }
    }

    static func readOpen(_ reader: inout CBORReader) throws(DecodeError) -> RelayMessage {
        let circuit = try readCircuit(of: 3, &reader)
        let key = try reader.value(PeerKey.self)
        return .open(circuit, key, isIncoming: try reader.uint(max: 1) == 1)
    }

    static func readReady(_ reader: inout CBORReader) throws(DecodeError) -> RelayMessage {
        .ready(try readCircuit(of: 1, &reader))
    }

    static func readData(_ reader: inout CBORReader) throws(DecodeError) -> RelayMessage {
        .data(try readCircuit(of: 2, &reader), try reader.bytes(1...Limits.bulkSlice))
    }

    static func readTook(_ reader: inout CBORReader) throws(DecodeError) -> RelayMessage {
        .took(try readCircuit(of: 2, &reader), try reader.uint(in: 1...Limits.circuitWindow))
    }

    static func readEnd(_ reader: inout CBORReader) throws(DecodeError) -> RelayMessage {
        let circuit = try readCircuit(of: 2, &reader)
        guard let reason = EndReason(rawValue: try reader.uint(max: 255)) else {
            throw DecodeError(.badValue, at: reader.offset)
        }
        return .end(circuit, reason)
    }

    /// The number of a circuit, the first of so many parts.
    private static func readCircuit(
        of parts: Int, _ reader: inout CBORReader
    ) throws(DecodeError) -> Int {
        try reader.array(parts)
        return try reader.uint(max: 1 << 31)
    }
}
