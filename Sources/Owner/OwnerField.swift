// SPDX-License-Identifier: Apache-2.0
import Parking
import Profile
import Protocol
package import Text

/// What the owner of a profile says of themselves, word by word. Each is checked before anything
/// is kept.
package enum OwnerField: String, CaseIterable, Hashable, Sendable {
    case name, mail, phone, plate

    /// Bytes of an address: what a mail server takes (RFC 5321 section 4.5.3.1.3, without the
    /// brackets).
    static let longestMail = 254
    /// Digits of a phone number.
    static let digits = 5...20
    /// Bytes of a phone number with everything between its digits.
    static let longestPhone = 40

    /// What it needs, as the end of a sentence.
    package var need: String {
        switch self {
        case .name: "a name of at most \(Limits.name) bytes"
        case .mail:
            "one @, a dot in what follows it, no blanks, and at most \(Self.longestMail) bytes"
        case .phone: "5 to 20 digits; + may stand first, blanks and hyphens between them"
        case .plate: ParkingField.plate.need
        }
    }

    /// A value that fits.
    package var sample: String {
        switch self {
        case .name: "Ada"
        case .mail: "ada@example.org"
        case .phone: "'+44 20 7946 0000'"
        case .plate: "AB12CDE"
        }
    }

    /// The text as it is kept. Throws for what does not fit.
    package func check(_ text: String) throws(FormFault) -> String {
        switch self {
        case .name: return try name(text)
        case .mail: return try mail(text)
        case .phone: return try phone(text)
        case .plate: return try ParkingField.plate.code(text)
        }
    }

    private func fault(_ why: String) -> FormFault {
        FormFault(place: rawValue, why: "\(why); it needs \(need)")
    }

    private func name(_ text: String) throws(FormFault) -> String {
        do throws(UserError) {
            return try PassengerName.check(text, advice: "")
        } catch {
            throw fault(error.what + (error.why.map { ": \($0)" } ?? ""))
        }
    }

    private func mail(_ text: String) throws(FormFault) -> String {
        guard text.utf8.count <= Self.longestMail else {
            throw fault("it has \(text.utf8.count) bytes")
        }
        guard !text.unicodeScalars.contains(where: \.properties.isWhitespace) else {
            throw fault("there is a blank in it")
        }
        guard text.unicodeScalars.allSatisfy(\.isSafeToPrint) else {
            throw fault("it has characters that cannot be seen")
        }
        let parts = text.unicodeScalars.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw fault("it has \(parts.count - 1) @") }
        guard !parts[0].isEmpty else { throw fault("nothing stands before the @") }
        let labels = parts[1].split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count > 1 else { throw fault("no dot follows the @") }
        guard !labels.contains(where: \.isEmpty) else {
            throw fault("a dot stands at an end of the host, or beside another dot")
        }
        return text
    }

    private func phone(_ text: String) throws(FormFault) -> String {
        var count = 0
        for (index, scalar) in text.unicodeScalars.enumerated() {
            switch scalar {
            case "0"..."9": count += 1
            case " ", "-": break
            case "+" where index == 0: break
            case "+": throw fault("a + stands behind something else")
            default: throw fault("\(visible(String(scalar), cells: 8)) is no digit")
            }
        }
        guard Self.digits.contains(count) else { throw fault("it has \(count) digits") }
        guard text.utf8.count <= Self.longestPhone else {
            throw fault("it has \(text.utf8.count) characters, \(Self.longestPhone) are allowed")
        }
        return text.split(separator: " ").joined(separator: " ")
    }
}
