// SPDX-License-Identifier: Apache-2.0
import CSodium
package import Protocol

/// What a passenger takes along to another computer: the key of one flight, and how long the log
/// is that it signed (docs/page.md section 8).
package struct SeatKey: Hashable, Sendable {
    /// 32 bytes, of which the key pair is made.
    package let seed: [UInt8]
    /// What the flight's id is made of.
    package let auth: Bytes32
    /// The flight.
    package let flight: FlightName
    /// Whether the flight has a cabin code.
    package let isGated: Bool
    /// How many entries the log had when the key left: nothing is signed before they are here.
    package let floor: Int
    /// The name that others read, and the own seats then, for the next start.
    package let name: String
    package let seats: String

    /// A key and what belongs to it.
    package init(
        seed: [UInt8], auth: Bytes32, flight: FlightName, isGated: Bool, floor: Int, name: String,
        seats: String
    ) {
        self.seed = seed
        self.auth = auth
        self.flight = flight
        self.isGated = isGated
        self.floor = floor
        self.name = name
        self.seats = seats
    }

    /// Characters of a passphrase at least: whoever sees the code can try many.
    package static let passphraseLeast = 10
    /// Bytes of one at most.
    package static let passphraseMost = 1024

    var plain: [UInt8] {
        let texts = [flight.text, name, seats].flatMap { text in
            let bytes = Array(text.utf8.prefix(255))
            return [UInt8(bytes.count)] + bytes
        }
        let count = UInt32(clamping: floor)
        return seed + auth.bytes + (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) }
            + [isGated ? 1 : 0] + texts
    }

    /// Reads what was sealed; `nil` for anything else.
    init?(plain: [UInt8]) {
        var rest = plain[...]
        func take(_ count: Int) -> [UInt8]? {
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        func text() -> String? {
            take(1).flatMap { take(Int($0[0])) }.flatMap { String(validating: $0, as: UTF8.self) }
        }
        guard let seed = take(Int(crypto_sign_SEEDBYTES)), let auth = take(Bytes32.count),
            let count = take(4), let gate = take(1), gate[0] <= 1,
            let words = text(), let flight = FlightName(words), flight.text == words,
            let name = text(), let seats = text(), rest.isEmpty, let auth = Bytes32(auth)
        else { return nil }
        let floor = count.reduce(0) { $0 << 8 | Int($1) }
        guard 1...Limits.entriesPerAuthor ~= floor else { return nil }
        self.init(
            seed: seed, auth: auth, flight: flight, isGated: gate[0] == 1, floor: floor,
            name: name, seats: seats)
    }
}

/// A ``SeatKey`` as a text that one QR code holds, sealed by a passphrase.
package struct SealedSeatKey {
    /// Why a text is not opened.
    package enum Fault: Error, Hashable, Sendable {
        /// It does not begin as one.
        case other
        /// It is of a later seatagent.
        case version
        /// Characters of it are missing or wrong.
        case damaged
        /// It is whole, and the passphrase is another.
        case passphrase
        /// There is no memory to try the passphrase.
        case memory
    }

    private static let name = "seatkey"
    private static let prefix = "seatkey1:"
    /// Characters of a text at most: of others nothing is decoded.
    private static let most = 2048
    private static let sumCount = 4

    private let salt: [UInt8]
    private let key: SealingKey

    /// Makes the key of a passphrase, which takes the better part of a second. `nil` if there is
    /// no memory for it.
    package init?(passphrase: [UInt8]) {
        self.init(
            passphrase: passphrase, salt: SodiumPrimitives.random(SealingKey.saltCount),
            cost: .moderate)
    }

    init?(passphrase: [UInt8], salt: [UInt8], cost: SealingCost) {
        guard let key = SealingKey(passphrase: passphrase, salt: salt, cost: cost) else {
            return nil
        }
        self.salt = salt
        self.key = key
    }

    /// The text; `nil` if it cannot be sealed.
    package func text(of seat: SeatKey) -> String? {
        let nonce = SodiumPrimitives.random(SealingKey.nonceCount)
        guard let box = key.bind(seat.plain, to: Self.bound(salt), nonce: nonce) else { return nil }
        return Self.text(ofBody: salt + nonce + box)
    }

    static func text(ofBody body: [UInt8]) -> String { prefix + encode(body + sum(of: body)) }

    /// Opens a text. What it may cost is not in the text, so a false one costs no more.
    package static func open(_ text: String, passphrase: [UInt8]) throws(Fault) -> SeatKey {
        try open(text, passphrase: passphrase, cost: .moderate)
    }

    static func open(
        _ text: String, passphrase: [UInt8], cost: SealingCost
    ) throws(Fault) -> SeatKey {
        let body = try check(text)
        let (start, end) = (SealingKey.saltCount, SealingKey.saltCount + SealingKey.nonceCount)
        let salt = Array(body[..<start])
        guard let own = SealedSeatKey(passphrase: passphrase, salt: salt, cost: cost) else {
            throw .memory
        }
        let plain = own.key.release(
            Array(body[end...]), bound: bound(salt), nonce: Array(body[start..<end]))
        guard let plain else { throw .passphrase }
        guard let seat = SeatKey(plain: plain) else { throw .damaged }
        return seat
    }

    /// Salt, nonce and box of a text that is whole, whoever can open it. Costs nothing.
    @discardableResult
    package static func check(_ text: String) throws(Fault) -> [UInt8] {
        let text = String(text.filter { !$0.isWhitespace }.prefix(most + 1))
        guard text.hasPrefix(prefix) else {
            let rest = text.dropFirst(name.utf8.count)
            let number = rest.prefix { $0.isNumber }
            let isLater =
                text.hasPrefix(name) && !number.isEmpty
                && rest.dropFirst(number.count).first == ":"
            throw isLater ? .version : .other
        }
        let least = SealingKey.saltCount + SealingKey.nonceCount + sumCount
        guard text.utf8.count <= most, let all = decode(text.dropFirst(prefix.utf8.count)),
            all.count > least
        else { throw .damaged }
        let body = Array(all.dropLast(sumCount))
        guard sum(of: body) == Array(all.suffix(sumCount)) else { throw .damaged }
        return body
    }

    /// What the box is bound to, beside its passphrase.
    private static func bound(_ salt: [UInt8]) -> [UInt8] { Array(prefix.utf8) + salt }

    /// Shows a slip in typing or copying, which a wrong passphrase would look like.
    private static func sum(of body: [UInt8]) -> [UInt8] {
        var digest = RunningSHA256()
        digest.add(ArraySlice(Array(prefix.utf8) + body))
        return Array(digest.finish().bytes.prefix(sumCount))
    }

    private static func encode(_ bytes: [UInt8]) -> String {
        let variant = sodium_base64_VARIANT_URLSAFE_NO_PADDING
        var text = [CChar](
            repeating: 0, count: sodium_base64_encoded_len(bytes.count, Int32(variant)))
        sodium_bin2base64(&text, text.count, bytes, bytes.count, Int32(variant))
        return String(decoding: text.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func decode(_ text: Substring) -> [UInt8]? {
        let typed = text.utf8.map { CChar(bitPattern: $0) }
        var bytes = [UInt8](repeating: 0, count: typed.count + 1)
        var count = 0
        let done = sodium_base642bin(
            &bytes, bytes.count, typed, typed.count, nil, &count, nil,
            Int32(sodium_base64_VARIANT_URLSAFE_NO_PADDING))
        return done == 0 ? Array(bytes.prefix(count)) : nil
    }
}
