// SPDX-License-Identifier: Apache-2.0
package import Protocol
package import Text

/// A venue's file as its operator hands it out (`rec.venue`): what it says, whose it is, its
/// revision, and the signature of all three (docs/protocol.md section 31).
///
/// There is none without a right signature: whatever makes one has checked or made it.
package struct SignedVenue: Hashable, Sendable {
    /// What it says.
    package let venue: Venue
    /// Who signed it.
    package let runBy: OperatorKey
    /// Of two of one operator the higher one counts; 1 to 65535.
    package let revision: Int
    /// Ed25519, 64 bytes, over ``VenueSignature/toBeSigned(runBy:revision:words:)``.
    package let signature: [UInt8]

    /// Signs a venue; `nil` for a revision that there is not.
    package init?(_ venue: Venue, revision: Int, by signer: any Signer) {
        guard Limits.venueRevisions.contains(revision) else { return nil }
        let runBy = OperatorKey(signer.key.raw)
        self.init(
            venue, runBy, revision,
            signer.sign(
                VenueSignature.toBeSigned(runBy: runBy, revision: revision, words: venue.bytes)))
    }

    private init(_ venue: Venue, _ runBy: OperatorKey, _ revision: Int, _ signature: [UInt8]) {
        self.venue = venue
        self.runBy = runBy
        self.revision = revision
        self.signature = signature
    }

    /// What the signature covers of the venue, and what a message carries: its file as one line.
    package var words: [UInt8] { venue.bytes }

    /// Its name, key and volume, as the sign at the door has them.
    package var link: VenueLink? {
        VenueLink(slug: venue.slug, runBy: runBy, kind: Volume.Kind(venue.volume))
    }

    // MARK: From others

    /// Checks what a message carried: `words` is the one line and nothing else, and the signature
    /// is right. Throws ``FormFault`` for the first fault.
    package init(
        words: [UInt8], runBy: OperatorKey, revision: Int, signature: [UInt8],
        primitives: any Primitives
    ) throws(FormFault) {
        guard words.count <= VenueLimits.bytes else {
            throw FormFault(
                place: VenueKeys.whole,
                why: "as one line it has \(words.count) bytes, \(VenueLimits.bytes) are allowed")
        }
        let venue = try Venue.read(words)
        guard venue.bytes == words else {
            throw FormFault(place: VenueKeys.whole, why: "it is not in the one form")
        }
        self.init(venue, runBy, revision, signature)
        try check(primitives)
    }

    /// The members of the file.
    private static let keys = ["venue", "operator", "revision", "signature"]

    /// Whether somebody meant a signed file.
    static func isMeant(_ json: JSON) -> Bool {
        json["venue"] != nil || json["signature"] != nil
    }

    /// Reads a file from parsed JSON and checks the signature. Throws ``FormFault`` for the first
    /// fault.
    package init(json: JSON, primitives: any Primitives) throws(FormFault) {
        try self.init(unchecked: json)
        try check(primitives)
    }

    /// Reads the form alone.
    init(unchecked json: JSON) throws(FormFault) {
        let form = try FormReader(json, Self.keys, whole: "the signed file")
        let runBy = try Self.key(form, "operator")
        let revision = try form.number("revision", Limits.venueRevisions)
        guard let signature = Base64.decode(try form.text("signature", bytes: 88)),
            signature.count == 64
        else { throw form.fault("signature", "64 bytes in base64 are wanted") }
        self.init(try Venue(json: try form.needed("venue")), runBy, revision, signature)
    }

    /// The 52 characters of an operator's key.
    static func key(_ form: FormReader, _ name: String) throws(FormFault) -> OperatorKey {
        guard let key = OperatorKey(try form.text(name, bytes: 52)) else {
            throw form.fault(
                name, "the 52 characters of a key are wanted, small letters and 2 to 7")
        }
        return key
    }

    private func check(_ primitives: any Primitives) throws(FormFault) {
        guard Limits.venueRevisions.contains(revision),
            VenueSignature.isRight(
                signature, runBy: runBy, revision: revision, words: words, primitives: primitives)
        else {
            throw FormFault(
                place: "signature",
                why: "it is not the operator's: the file was changed after it was signed, or "
                    + "somebody else signed it")
        }
    }

    // MARK: For others

    /// The file: equal venues give equal JSON.
    package var json: JSON {
        [
            "venue": venue.json, "operator": .string(runBy.text), "revision": .int(revision),
            "signature": .string(Base64.encode(signature)),
        ]
    }
}

extension Volume.Kind {
    /// The kind that a venue's file names with the same word.
    package init(_ volume: Venue.Volume) {
        self =
            switch volume {
            case .day: .day
            case .week: .week
            case .month: .month
            case .quarter: .quarter
            case .year: .year
            }
    }
}
