// SPDX-License-Identifier: Apache-2.0
/// Where the fields of a boarding pass are in its text (IATA Resolution 792, "BCBP").
///
/// Positions only, no copies, so that the text can be overwritten once the few fields that are kept
/// have been read. The sizes in the text decide, not its version number, and none of them reaches
/// past the end.
package struct BoardingFields: Hashable, Sendable {
    /// The longest text that is read, in bytes; four flights with all optional parts take 1200.
    package static let longest = 4096
    /// The bytes through the day of the year; codes from before check-in end there.
    private static let least = 47
    /// The bytes of format code, number of flights, name, and the letter for an electronic ticket.
    private static let head = 23
    /// The bytes at the head of a security part: mark, type, length.
    private static let securityHead = 4

    /// The passenger's name.
    private(set) var name: Range<Int>
    /// The flights, 1 to 4.
    private(set) var legs: [BoardingLegFields] = []
    /// The date of issue: the last digit of the year and the day of the year.
    private(set) var issueDate: Range<Int>?
    /// Whether this is the receipt of an itinerary, with nobody checked in.
    private(set) var isReceipt = false
    /// The airline's signature, which cannot be checked without the airline's key.
    private(set) var security: Range<Int>?
    /// What follows the end.
    private(set) var trailing: Range<Int>
    /// What is odd.
    private(set) var warnings: [BoardingWarning] = []

    /// Finds the fields of `text`, which has one byte for each character. Throws the first fault.
    init(_ text: [UInt8]) throws(BoardingRefusal) {
        guard text.count <= Self.longest else {
            throw BoardingRefusal(
                field: .text, reason: "is longer than \(Self.longest) bytes, as no pass is")
        }
        let start = Self.prefix(text)
        if start > 0 { warnings.append(.symbologyPrefix) }
        guard start < text.count else {
            throw BoardingRefusal(field: .text, reason: "is empty")
        }
        guard text[start] == UInt8(ascii: "M") || text[start] == UInt8(ascii: "S") else {
            throw BoardingRefusal(
                field: .format, place: start..<start + 1, reason: "is neither M nor S")
        }
        guard start + 1 < text.count, (49...52).contains(text[start + 1]) else {
            throw BoardingRefusal(
                field: .count, place: start + 1..<start + 2, reason: "is not 1, 2, 3 or 4")
        }
        guard text.count - start >= Self.least else {
            throw BoardingRefusal(
                field: .text,
                reason: "has \(text.count - start) characters, the shortest pass \(Self.least)")
        }
        name = start + 2..<start + 22
        trailing = text.count..<text.count
        var place = start + Self.head
        for number in 1...Int(text[start + 1] - 48) {
            // Some airlines write the letter for an electronic ticket before each flight.
            if number > 1, BoardingLegFields.isShifted(text, at: place) { place += 1 }
            guard let leg = try leg(number, of: text, at: place) else {
                warnings.append(.missingLeg)
                break
            }
            if leg.isTruncated { warnings.append(.truncatedMandatory) }
            if leg.isShort { warnings.append(.shortVariableField) }
            legs.append(leg)
            place = leg.variable.upperBound
        }
        // Only now is it known where the first part ends: its size may have led into the second
        // flight.
        if let first = legs.first?.variable {
            issueDate = Self.issueDate(text, in: first)
            isReceipt = Self.isReceipt(text, in: first)
        }
        security = Self.security(text, at: place)
        trailing = (security?.upperBound ?? place)..<text.count
        if !trailing.isEmpty { warnings.append(.trailing) }
    }

    /// Flight `number`, which should be at `place`. `nil` if what is there cannot be read; the
    /// flights before it are kept. Throws if nothing is there at all, because then the number of
    /// flights is wrong and the rest is unreliable.
    private mutating func leg(_ number: Int, of text: [UInt8], at place: Int)
        throws(BoardingRefusal) -> BoardingLegFields?
    {
        do throws(BoardingRefusal) {
            return try BoardingLegFields(text, at: place, number: number)
        } catch {
            guard let last = legs.last, legs.contains(where: { !$0.isBlank }), !last.isTruncated
            else { throw error }
            let end = Self.security(text, at: place)?.upperBound ?? place
            // Sizes that end where the text ends are right, and spaces are not a flight.
            if !last.isShort, text[end...].allSatisfy({ $0 == 32 }) { throw error }
            for start in last.variable.lowerBound..<text.count {
                guard let leg = BoardingLegFields.found(text, at: start, number: number) else {
                    continue
                }
                warnings.append(.shiftedLeg)
                legs[legs.count - 1].variable = last.variable.lowerBound..<start
                return leg
            }
            return nil
        }
    }

    /// The length of a scanner's mark, `]`, a letter, a digit or letter; 0 if there is none.
    private static func prefix(_ text: [UInt8]) -> Int {
        guard text.count >= 3, text[0] == UInt8(ascii: "]"), text[1].isLetter,
            text[2].isLetter || text[2].isDigit
        else { return 0 }
        return 3
    }

    /// The date of issue: four characters in the part that begins with `>` and names its own size.
    private static func issueDate(_ text: [UInt8], in part: Range<Int>) -> Range<Int>? {
        guard part.count >= 11, text[part.lowerBound] == UInt8(ascii: ">"),
            let size = text.hex(at: part.lowerBound + 2), size >= 7
        else { return nil }
        return part.lowerBound + 7..<part.lowerBound + 11
    }

    /// Whether the letter after the date of issue marks a receipt.
    private static func isReceipt(_ text: [UInt8], in part: Range<Int>) -> Bool {
        guard part.count >= 12, text[part.lowerBound] == UInt8(ascii: ">"),
            let size = text.hex(at: part.lowerBound + 2), size >= 8
        else { return false }
        return text[part.lowerBound + 11] == UInt8(ascii: "I")
    }

    /// The data of a security part at `place`; `nil` if there is none.
    private static func security(_ text: [UInt8], at place: Int) -> Range<Int>? {
        guard text.count - place >= securityHead, let size = text.hex(at: place + 2) else {
            return nil
        }
        let data = place + securityHead
        let isOld = text[place] == UInt8(ascii: ">") && data + size == text.count
        guard text[place] == UInt8(ascii: "^") || isOld else { return nil }
        return data..<min(data + size, text.count)
    }
}

/// Where the fields of one flight are.
struct BoardingLegFields: Hashable, Sendable {
    /// The bytes through the day of the year.
    private static let least = 24
    /// Words that one airline writes instead of the letter for the class.
    private static let classWords = ["BUSINESS", "FIRST"]

    let pnr, from, to, carrier, number, day, compartment, seat, sequence, status: Range<Int>
    /// The airline's own part, as long as the text says or less.
    fileprivate(set) var variable: Range<Int>
    /// The whole part up to the airline's own.
    let all: Range<Int>
    /// Whether it is all spaces, apart from its size.
    let isBlank: Bool
    /// The text ends before the size.
    let isTruncated: Bool
    /// The text ends before the part whose size it names.
    let isShort: Bool

    /// Finds the fields of flight `leg` of the pass, which is at `place`.
    init(_ text: [UInt8], at place: Int, number leg: Int) throws(BoardingRefusal) {
        func part(_ offset: Int, _ length: Int) -> Range<Int> {
            let start = min(place + offset, text.count)
            return start..<min(start + length, text.count)
        }
        guard text.count - place >= Self.least else {
            throw BoardingRefusal(field: .leg, leg: leg, reason: "is missing: the text ends before")
        }
        pnr = part(0, 7)
        from = part(7, 3)
        to = part(10, 3)
        carrier = part(13, 3)
        number = part(16, 5)
        day = part(21, 3)
        let word = Self.classWords.first { text[part(24, $0.utf8.count)].elementsEqual($0.utf8) }
        let wide = word?.utf8.count ?? 1
        compartment = part(24, wide)
        seat = part(24 + wide, 4)
        sequence = part(28 + wide, 5)
        status = part(33 + wide, 1)
        let size = part(34 + wide, 2)
        isTruncated = size.count < 2
        isBlank = text[place..<size.lowerBound].allSatisfy { $0 == 32 } && !isTruncated
        all = place..<size.upperBound
        guard !isTruncated else {
            variable = text.count..<text.count
            isShort = false
            try check(text, leg)
            return
        }
        guard let length = text[size].allSatisfy({ $0 == 32 }) ? 0 : text.hex(at: size.lowerBound)
        else {
            throw BoardingRefusal(
                field: .size, leg: leg, place: size, reason: "is not two hexadecimal digits")
        }
        let end = size.upperBound + length
        variable = size.upperBound..<min(end, text.count)
        isShort = end > text.count
        if !isBlank { try check(text, leg) }
    }

    /// Whether an `E` precedes the flight that should begin at `place`: only then are the airports
    /// in their places.
    static func isShifted(_ text: [UInt8], at place: Int) -> Bool {
        func hasAirports(_ place: Int) -> Bool {
            place + 13 <= text.count && text[place + 7..<place + 13].allSatisfy(\.isCapital)
        }
        return place < text.count && text[place] == UInt8(ascii: "E") && !hasAirports(place)
            && hasAirports(place + 1)
    }

    /// The flight at `place`, to which no size led. Every field must be valid, so that nothing else
    /// is mistaken for a flight.
    static func found(_ text: [UInt8], at place: Int, number: Int) -> BoardingLegFields? {
        guard place + least + 12 <= text.count,
            text[place + 7..<place + 13].allSatisfy(\.isCapital),
            let leg = try? BoardingLegFields(text, at: place, number: number)
        else { return nil }
        func isCode(_ part: Range<Int>) -> Bool {
            text[part].allSatisfy { $0.isCapital || $0.isDigit }
        }
        let code = text.trimmed(leg.pnr)
        let carrier = text.trimmed(leg.carrier)
        var digits = text.trimmed(leg.number)
        if let last = text[digits].last, last.isCapital { digits = digits.dropLast() }
        let isNamed =
            code.lowerBound == leg.pnr.lowerBound && code.count >= 5 && isCode(code)
            && carrier.count >= 2 && isCode(carrier)
            && !digits.isEmpty && text[digits].allSatisfy(\.isDigit)
        let isSeated =
            1...366 ~= (text.number(in: leg.day) ?? 0)
            && text[leg.compartment].allSatisfy(\.isCapital) && isCode(text.trimmed(leg.seat))
            && isCode(text.trimmed(leg.sequence)) && isCode(text.trimmed(leg.status))
        return isNamed && isSeated && !leg.isTruncated ? leg : nil
    }

    /// Throws for the first field that a flight cannot do without.
    private func check(_ text: [UInt8], _ leg: Int) throws(BoardingRefusal) {
        for (field, place) in [(BoardingRefusal.Field.from, from), (.to, to)] {
            guard place.count == 3, text[place].allSatisfy(\.isCapital) else {
                throw BoardingRefusal(
                    field: field, leg: leg, place: place, reason: "is not three capital letters")
            }
        }
        guard text.number(in: day) != nil else {
            throw BoardingRefusal(field: .day, leg: leg, place: day, reason: "is not a number")
        }
    }
}
