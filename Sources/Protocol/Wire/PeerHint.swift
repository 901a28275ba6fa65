// SPDX-License-Identifier: Apache-2.0
/// One line of PEX: a passenger's agent, where it listens, and whether the
/// sender is linked with it.
///
/// A hint is worth nothing until a handshake with that key succeeded. Where only changes are told,
/// a hint that is not linked says that the sender's link with the key has ended.
package struct PeerHint: Hashable, Sendable {
    /// The key that is said to be there.
    package var key: PeerKey
    /// Where it is said to listen; port 0 where only a relay reaches it.
    package var address: PeerAddress
    /// Whether the sender has a link with it now: then the sender can relay.
    package var isLinked: Bool

    /// Says where `key` is, and whether the sender is linked with it.
    package init(key: PeerKey, address: PeerAddress, isLinked: Bool) {
        self.key = key
        self.address = address
        self.isLinked = isLinked
    }

    static func write(_ hints: [PeerHint], to writer: inout CBORWriter) {
        writer.array(hints.count)
        for hint in hints {
            writer.array(4)
            writer.value(hint.key)
            writer.text(hint.address.host)
            writer.uint(Int(hint.address.port))
            writer.uint(hint.isLinked ? 1 : 0)
        }
    }

    static func list(
        _ reader: inout CBORReader, atLeast least: Int = 1
    ) throws(DecodeError) -> [PeerHint] {
        var hints: [PeerHint] = []
        for _ in 0..<(try reader.array(least...Limits.hints)) {
            try reader.array(4)
            let key = try reader.value(PeerKey.self)
            let host = try reader.text(max: Limits.hostText)
            let port = try reader.uint(max: 65_535)
            let isLinked = try reader.uint(max: 1) == 1
            hints.append(
                PeerHint(
                    key: key, address: PeerAddress(host: host, port: UInt16(port)),
                    isLinked: isLinked))
        }
        return hints
    }
}
