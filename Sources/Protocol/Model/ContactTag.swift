// SPDX-License-Identifier: Apache-2.0
/// The tag by which those who know somebody's e-mail address find them in a venue, if they allowed
/// that (docs/protocol.md section 31).
public enum ContactTag {
    /// The tag of an address in one volume of a venue: tags of two volumes cannot be joined.
    /// `address` is taken in lower case. Costs 64 MiB and about 0.15 s (Argon2id), so that guessing
    /// addresses is slow; `nil` when the memory cannot be had.
    public static func tag(
        of address: String, in venue: VenueName, primitives: any Primitives
    ) -> ThreadID? {
        let salt = primitives.sha256(
            Array("seatswap/venue/contact".utf8) + venue.runBy.bytes + Array(venue.slug.utf8))
        guard
            let key = primitives.argon2id(
                Array(address.lowercased().utf8), salt: Array(salt.bytes.prefix(16)))
        else { return nil }
        let text = Array("tag/v1|\(venue.volume.text)".utf8)
        return ThreadID(primitives.hmacSHA256(key: key.bytes, text).bytes.prefix(16))
    }
}
