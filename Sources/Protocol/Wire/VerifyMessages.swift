// SPDX-License-Identifier: Apache-2.0
/// The messages of a verification by voice (docs/protocol.md section 25); the attempt's number
/// stands in each.
public enum VerifyMessage: Hashable, Sendable {
    /// SAS_START: the initiator's commitment to their nonce.
    case start(ThreadID, method: Int, commitment: Bytes32)
    /// SAS_NONCE: the responder's nonce, once their user pressed "verify".
    case nonce(ThreadID, Bytes32)
    /// SAS_OPEN: the initiator's nonce.
    case open(ThreadID, Bytes32)
    /// SAS_MAC: this side's user says that the codes match.
    case mac(ThreadID, Bytes32)
    /// SAS_END: the attempt is over on this side.
    case end(ThreadID, EndReason)

    /// Why an attempt ended.
    public enum EndReason: Int, CaseIterable, Sendable {
        /// The user does not want to, or not any more.
        case cancelled = 0
        /// The user says that the codes differ.
        case mismatch = 1
        /// Its time ran out.
        case expired = 2
        /// Another attempt is under way, or a pause after failures.
        case busy = 3
        /// A commitment or a proof was wrong.
        case wrong = 4
    }

    /// The attempt's number, 16 bytes.
    package var attempt: ThreadID {
        switch self {
        case .start(let attempt, _, _), .nonce(let attempt, _), .open(let attempt, _),
            .mac(let attempt, _), .end(let attempt, _):
            attempt
        }
    }

    var type: FrameType {
        switch self {
        case .start: .verifyStart
        case .nonce: .verifyNonce
        case .open: .verifyOpen
        case .mac: .verifyMAC
        case .end: .verifyEnd
        }
    }

    func write(to writer: inout CBORWriter) {
        switch self {
        case .start(let attempt, let method, let commitment):
            writer.array(3)
            writer.bytes(attempt.bytes)
            writer.uint(method)
            writer.bytes32(commitment)
        case .nonce(let attempt, let value), .open(let attempt, let value),
            .mac(let attempt, let value):
            writer.array(2)
            writer.bytes(attempt.bytes)
            writer.bytes32(value)
        case .end(let attempt, let reason):
            writer.array(2)
            writer.bytes(attempt.bytes)
            writer.uint(reason.rawValue)
        }
    }

    static func readStart(_ reader: inout CBORReader) throws(DecodeError) -> VerifyMessage {
        try reader.array(3)
        let attempt = try ThreadID.read(&reader)
        let method = try reader.uint(max: 255)
        return .start(attempt, method: method, commitment: try reader.bytes32())
    }

    static func readNonce(_ reader: inout CBORReader) throws(DecodeError) -> VerifyMessage {
        try reader.array(2)
        return .nonce(try ThreadID.read(&reader), try reader.bytes32())
    }

    static func readOpen(_ reader: inout CBORReader) throws(DecodeError) -> VerifyMessage {
        try reader.array(2)
        return .open(try ThreadID.read(&reader), try reader.bytes32())
    }

    static func readMAC(_ reader: inout CBORReader) throws(DecodeError) -> VerifyMessage {
        try reader.array(2)
        return .mac(try ThreadID.read(&reader), try reader.bytes32())
    }

    static func readEnd(_ reader: inout CBORReader) throws(DecodeError) -> VerifyMessage {
        try reader.array(2)
        let attempt = try ThreadID.read(&reader)
        guard let reason = EndReason(rawValue: try reader.uint(max: 255)) else {
            throw DecodeError(.badValue, at: reader.offset)
        }
        return .end(attempt, reason)
    }
}
