// SPDX-License-Identifier: Apache-2.0
/// What agents of one flight share: the key of its membership proofs and its id (docs/protocol.md
/// section 2).
public struct FlightKey: Hashable, Sendable {
    /// `F_auth`, 32 bytes: proves membership, keeps flights apart; guessable, not access control.
    public let auth: Bytes32
    /// Goes into every entry.
    public let id: FlightID

    /// The version of the fold's rules that the id names.
    public let foldVersion: UInt8

    /// The version of the fold's rules of flights, part of their ids (docs/protocol.md section 20).
    public static let foldVersion: UInt8 = 2
    /// That of venues (docs/protocol.md section 31).
    public static let venueFoldVersion: UInt8 = 3

    /// The key made from its proof key; that of a flight, unless another version is named.
    public init(
        auth: Bytes32, foldVersion: UInt8 = Self.foldVersion, primitives: any Primitives
    ) {
        self.auth = auth
        self.foldVersion = foldVersion
        id = Self.id(auth, foldVersion: foldVersion, primitives)
    }

    /// The id that the flight has under the rules of one version of the fold.
    private static func id(
        _ auth: Bytes32, foldVersion: UInt8, _ primitives: any Primitives
    ) -> FlightID {
        FlightID(
            primitives.sha256(Array("seatswap/flight-id/v1".utf8) + auth.bytes + [foldVersion]))
    }

    /// The older version of the fold whose id of this flight `id` is; `nil` for any other id.
    public func olderVersion(of id: FlightID, primitives: any Primitives) -> UInt8? {
        older.first { Self.id(auth, foldVersion: $0, primitives) == id }
    }

    /// The ids of this flight under older versions of the fold, oldest first.
    public func olderIDs(primitives: any Primitives) -> [FlightID] {
        older.map { Self.id(auth, foldVersion: $0, primitives) }
    }

    /// Versions that flights had before; venues had none.
    private var older: Range<UInt8> {
        foldVersion == Self.foldVersion ? 1..<foldVersion : foldVersion..<foldVersion
    }

    /// Derives the key of an open flight, or of a gated one with its cabin code.
    ///
    /// Costs 64 MiB and about 0.15 s (Argon2id). `nil` when the memory cannot be had.
    public init?(_ name: FlightName, code: String? = nil, primitives: any Primitives) {
        self.init(.flight(name), code: code, primitives: primitives)
    }

    /// The same for anything that people gather for.
    public init?(_ name: GatheringName, code: String? = nil, primitives: any Primitives) {
        let salt = primitives.sha256(Array("seatswap/flight/v1".utf8)).bytes.prefix(16)
        let text = code.map { name.canonical + "|" + $0 } ?? name.canonical
        guard let auth = primitives.argon2id(Array(text.utf8), salt: Array(salt)) else {
            return nil
        }
        self.init(auth: auth, foldVersion: name.foldVersion, primitives: primitives)
    }

    /// Which end of a connection makes a proof.
    public enum Role: UInt8, Sendable {
        /// Dialled: `I`.
        case initiator = 0x49
        /// Accepted: `R`.
        case responder = 0x52
    }

    /// The first 16 bytes of the membership proof, bound to the TLS session (docs/protocol.md
    /// section 6).
    public func proof(
        role: Role, exporter: Bytes32, initiator: PeerKey, responder: PeerKey,
        primitives: any Primitives
    ) -> [UInt8] {
        var message = Array("seatswap/hello/v1".utf8)
        message.append(role.rawValue)
        exporter.append(to: &message)
        initiator.raw.append(to: &message)
        responder.raw.append(to: &message)
        return Array(primitives.hmacSHA256(key: auth.bytes, message).bytes.prefix(16))
    }
}
