// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// Codes with which guests take their seat back in another browser: the host reads one out, and the
/// page that asked for it, and no other, takes it (docs/page.md section 5).
package struct SeatCodes<Page: Hashable & Sendable>: Sendable {
    /// Why no code is made.
    package enum Refusal: Error, Hashable, Sendable {
        /// Another page has asked for the seat of this guest, and its code stands.
        case taken
        /// Many codes were made for this guest.
        case often
    }

    /// What comes of a code that was typed.
    package enum Outcome: Hashable, Sendable {
        /// It is right, and used up.
        case right(guest: Int)
        /// It is wrong, and so many tries are left.
        case wrong(left: Int)
        /// There is none that could be typed: it was used, ran out, or three tries were wrong.
        case over
    }

    /// Digits of a code.
    package static var digits: Int { 6 }
    /// How long a code is good for.
    package static var patience: TimeSpan { .seconds(120) }
    /// Wrong tries that end a code.
    package static var tries: Int { 3 }
    /// Codes for one guest in ten minutes: with three tries each, guessing hits one in a hundred
    /// thousand in that time.
    package static var ofGuest: Int { 3 }
    /// How many of these one place may ask for: another one keeps a try.
    package static var ofPlace: Int { 2 }

    private struct Code: Sendable {
        let guest: Int
        let text: String
        let until: Instant
        var left: Int
    }

    private var codes: [Page: Code] = [:]
    private struct Made: Sendable {
        let at: Instant
        let place: String
    }

    private var made: [Int: [Made]] = [:]

    /// No code was made yet.
    package init() {}

    /// The guest for whose seat the code of a page is; `nil` if it has none that is good.
    package func guest(of page: Page, at now: Instant) -> Int? {
        codes[page].flatMap { now < $0.until ? $0.guest : nil }
    }

    /// Why `page` gets no code for a guest now; `nil` if it does.
    package func refusal(
        _ guest: Int, by page: Page, from place: String, at now: Instant
    ) -> Refusal? {
        let isTaken = codes.contains {
            now < $0.value.until && $0.key != page && $0.value.guest == guest
        }
        if isTaken { return .taken }
        let late = made[guest, default: []].filter { now - $0.at < .seconds(600) }
        let here = late.count { $0.place == place }
        return late.count < Self.ofGuest && here < Self.ofPlace ? nil : .often
    }

    /// Makes a code with which `page`, which asks from `place`, takes the seat of a guest; an
    /// earlier one of the page ends. `random` is eight random bytes. Throws why there is none.
    package mutating func ask(
        _ guest: Int, by page: Page, from place: String, random: [UInt8], at now: Instant
    ) throws(Refusal) -> String {
        if let refusal = refusal(guest, by: page, from: place, at: now) { throw refusal }
        codes = codes.filter { now < $0.value.until && $0.key != page }
        made = made.compactMapValues { all in
            let late = all.filter { now - $0.at < .seconds(600) }
            return late.isEmpty ? nil : late
        }
        made[guest, default: []].append(Made(at: now, place: place))
        let number = random.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 1_000_000
        let plain = String(number)
        let text = String(repeating: "0", count: Self.digits - plain.utf8.count) + plain
        codes[page] = Code(
            guest: guest, text: text, until: now + Self.patience, left: Self.tries)
        return text
    }

    /// A page types a code.
    package mutating func take(_ typed: String, of page: Page, at now: Instant) -> Outcome {
        guard var code = codes[page], now < code.until else {
            codes[page] = nil
            return .over
        }
        guard !typed.utf8.elementsEqual(code.text.utf8) else {
            codes[page] = nil
            return .right(guest: code.guest)
        }
        code.left -= 1
        codes[page] = code.left > 0 ? code : nil
        return code.left > 0 ? .wrong(left: code.left) : .over
    }

    /// A guest has gone, and with them their code.
    package mutating func leave(_ guest: Int) {
        codes = codes.filter { $0.value.guest != guest }
        made[guest] = nil
    }
}
