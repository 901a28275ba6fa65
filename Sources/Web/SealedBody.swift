// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// 16 random bytes of a page or of a server: a start of the server, or one question of a page.
package struct PageID: Hashable, Sendable {
    /// Bytes of one.
    package static let count = 16

    /// The bytes.
    package let bytes: [UInt8]

    /// `nil` for another number of bytes.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.count else { return nil }
        self.bytes = Array(bytes)
    }

    private init(zeros: Int) { bytes = [UInt8](repeating: 0, count: zeros) }

    /// Stands for the start of a server that the page does not know yet.
    package static let unknown = PageID(zeros: count)
}

/// The body of a request of a page as it is on the wire: whose it is, and a box that only the
/// server can open (docs/page.md section 2).
///
///     request = key (32) nonce (24) box
package struct SealedBody: Hashable, Sendable {
    /// Bytes of a request, at most.
    package static let most = 65_536
    /// Bytes of a key of X25519.
    package static let keyCount = 32
    /// Bytes of a nonce of `crypto_box`.
    package static let nonceCount = 24
    /// Bytes that `crypto_box` adds.
    package static let seal = 16

    /// The key of the page. Anybody may make one: it gives no right by itself.
    package let key: Bytes32
    /// Used once.
    package let nonce: [UInt8]
    /// What is sealed.
    package let box: [UInt8]

    /// Reads a request; `nil` for one that is too short or too long to hold a ``PageCall``.
    package init?(_ bytes: [UInt8]) {
        let head = Self.keyCount + Self.nonceCount
        guard head + Self.seal + PageCall.headCount...Self.most ~= bytes.count,
            let key = Bytes32(Array(bytes[..<Self.keyCount]))
        else { return nil }
        self.key = key
        nonce = Array(bytes[Self.keyCount..<head])
        box = Array(bytes[head...])
    }
}

/// What is in a box, by its first byte: both sides seal with one key, so what one has said must
/// never read as something that the other says.
package enum BoxKind: UInt8, Sendable {
    /// A page asks.
    case call = 1
    /// The server answers.
    case reply = 2
    /// Something happened.
    case event = 3

    /// An answer to the question `id`: `2 id (16) text`.
    package static func reply(to id: PageID, _ text: [UInt8]) -> [UInt8] {
        [reply.rawValue] + id.bytes + text
    }

    /// An event of this start of the server: `3 session (16) number (8) text`.
    package static func event(of session: PageID, _ number: UInt64, _ text: [UInt8]) -> [UInt8] {
        [event.rawValue] + session.bytes + number.bigEndianBytes + text
    }
}

extension UInt64 {
    /// Its 8 bytes, the highest first.
    fileprivate var bigEndianBytes: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: self >> (56 - 8 * UInt64($0))) }
    }
}

/// What a page asks, as it is in the box.
///
///     call = 1 session (16) number (8, big-endian) id (16) text
package struct PageCall: Hashable, Sendable {
    /// Bytes before the text.
    static let headCount = 1 + 2 * PageID.count + 8

    /// The start of the server for which it is meant; ``PageID/unknown`` asks for it.
    package let session: PageID
    /// Counts up for each request of a page; 0 in a question for the session.
    package let number: UInt64
    /// The question: the same one if it is asked again, since no answer came.
    package let id: PageID
    /// JSON.
    package let text: [UInt8]

    /// A call.
    package init(session: PageID, number: UInt64, id: PageID, text: [UInt8]) {
        self.session = session
        self.number = number
        self.id = id
        self.text = text
    }

    /// Reads what was in a box; `nil` for less than the head.
    package init?(_ plain: [UInt8]) {
        guard plain.count >= Self.headCount, plain[0] == BoxKind.call.rawValue,
            let session = PageID(plain[1..<17]), let id = PageID(plain[25..<Self.headCount])
        else { return nil }
        self.session = session
        number = plain[17..<25].reduce(0) { $0 << 8 | UInt64($1) }
        self.id = id
        text = Array(plain[Self.headCount...])
    }

    /// The bytes to seal.
    package var bytes: [UInt8] {
        [BoxKind.call.rawValue] + session.bytes + number.bigEndianBytes + id.bytes + text
    }
}
