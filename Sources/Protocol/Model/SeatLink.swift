// SPDX-License-Identifier: Apache-2.0
/// A link that seatagent understands: `seatagent:` and what it is for. One strict reader for all of
/// them (docs/protocol.md section 30).
///
/// Hostile text: it comes from messengers, pictures and other passengers.
public enum SeatLink: Hashable, Sendable {
    /// `seatagent:party?v=1&k=CODE&f=FLIGHT`: the code of a party, with its flight if one is known.
    case party(PartySecret, flight: FlightName?)
    /// `seatagent:party-next?v=1&k=CODE&x=KEY&p=PROOF`: agents say it to each other. The party has
    /// another secret from now on, and one passenger is not of it any more.
    case nextParty(NextParty)
    /// `seatagent:venue?n=SLUG&k=KEY&p=VOLUME`: the sign at a venue's door.
    case venue(VenueLink)

    /// Why a text is no link that this program understands.
    public enum Fault: Error, Hashable, Sendable {
        /// It does not begin with `seatagent:`.
        case notALink
        /// Longer than any link.
        case tooLong
        /// A link for something else.
        case purpose
        /// A link of a later version.
        case version
        /// Parts are missing, twice, in another order, or not known.
        case form
        /// Its code is none.
        case code(PartySecret.CodeFault)
    }

    /// What a link begins with.
    private static let scheme = "seatagent:"

    /// Whether `text` claims to be a link, right or wrong.
    public static func begins(_ text: String) -> Bool { text.hasPrefix(scheme) }

    /// Reads a link. Every part stands once and in its place, and nothing else does.
    public init(_ text: String) throws(Fault) {
        guard Self.begins(text) else { throw .notALink }
        guard text.utf8.count <= Limits.link else { throw .tooLong }
        let rest = text.dropFirst(Self.scheme.count)
        guard let mark = rest.firstIndex(of: "?") else { throw .form }
        var parts = try Self.parts(rest[rest.index(after: mark)...])
        let purpose = rest[..<mark]
        if purpose == "venue" {
            self = .venue(try Self.venue(&parts))
            return
        }
        guard purpose == "party" || purpose == "party-next" else { throw .purpose }
        guard try parts.take("v") == "1" else { throw .version }
        let secret = try Self.secret(try parts.take("k"))
        if purpose == "party" {
            let flight = try parts.takeIfNext("f").map(Self.flight)
            try parts.end()
            self = .party(secret, flight: flight)
        } else {
            let removed = try Self.bytes(try parts.take("x"), Bytes32.count)
            let proof = try Self.bytes(try parts.take("p"), NextParty.proofBytes)
            try parts.end()
            guard let key = PeerKey(removed) else { throw .form }
            self = .nextParty(NextParty(secret: secret, removed: key, proof: proof))
        }
    }

    /// The link as text.
    public var text: String {
        switch self {
        case .party(let secret, let flight):
            let end = flight.map { "&f=" + $0.text } ?? ""
            return Self.scheme + "party?v=1&k=" + secret.plain + end
        case .nextParty(let next):
            return Self.scheme + "party-next?v=1&k=" + next.secret.plain + "&x="
                + Base32.encode(next.removed.bytes) + "&p=" + Base32.encode(next.proof)
        case .venue(let venue):
            return Self.scheme + "venue?n=" + venue.slug + "&k=" + venue.runBy.text + "&p="
                + venue.kind.rawValue
        }
    }

    // MARK: Parts

    private struct Parts {
        var left: ArraySlice<(name: Substring, value: Substring)>

        mutating func take(_ name: String) throws(Fault) -> Substring {
            guard let value = takeIfNext(name) else { throw .form }
            return value
        }

        mutating func takeIfNext(_ name: String) -> Substring? {
            guard let first = left.first, first.name == name else { return nil }
            left.removeFirst()
            return first.value
        }

        func end() throws(Fault) { guard left.isEmpty else { throw .form } }
    }

    private static func parts(_ text: Substring) throws(Fault) -> Parts {
        var parts: [(name: Substring, value: Substring)] = []
        for part in text.split(separator: "&", omittingEmptySubsequences: false) {
            guard let mark = part.firstIndex(of: "=") else { throw .form }
            parts.append((part[..<mark], part[part.index(after: mark)...]))
        }
        return Parts(left: parts[...])
    }

    /// A link has one spelling, which people do not type.
    private static func secret(_ text: Substring) throws(Fault) -> PartySecret {
        let secret: PartySecret
        do throws(PartySecret.CodeFault) {
            secret = try PartySecret(code: text)
        } catch {
            throw .code(error)
        }
        guard secret.plain == text else { throw .form }
        return secret
    }

    /// The first version has no number: a sign is small.
    private static func venue(_ parts: inout Parts) throws(Fault) -> VenueLink {
        if parts.takeIfNext("v") != nil { throw .version }
        let slug = try parts.take("n")
        let key = try parts.take("k")
        let kind = try parts.take("p")
        try parts.end()
        guard let runBy = OperatorKey(key), let kind = Volume.Kind(rawValue: String(kind)),
            let link = VenueLink(slug: String(slug), runBy: runBy, kind: kind)
        else { throw .form }
        return link
    }

    private static func flight(_ text: Substring) throws(Fault) -> FlightName {
        guard let flight = FlightName(text), flight.text == text else { throw .form }
        return flight
    }

    private static func bytes(_ text: Substring, _ count: Int) throws(Fault) -> [UInt8] {
        guard let bytes = Base32.decode(text.utf8), bytes.count == count else { throw .form }
        return bytes
    }
}

/// What a companion tells the others when they take somebody out of the party.
public struct NextParty: Hashable, Sendable {
    /// Bytes of the proof.
    static let proofBytes = 16

    /// The secret from now on.
    public let secret: PartySecret
    /// Who is not of the party any more.
    public let removed: PeerKey
    /// That whoever says it knew the secret before (``PartyKeys/proof(of:without:)``).
    public let proof: [UInt8]

    /// All of it.
    public init(secret: PartySecret, removed: PeerKey, proof: [UInt8]) {
        self.secret = secret
        self.removed = removed
        self.proof = proof
    }
}
