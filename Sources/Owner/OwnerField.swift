// SPDX-License-Identifier: Apache-2.0
import Parking
import Profile
import Protocol
package import Text

/// What the owner of a profile says of themselves, word by word. Each is checked before anything
/// is kept.
package enum OwnerField: String, CaseIterable, Hashable, Sendable {
    case name, mail, phone, plate

    /// Digits of a phone number.
    static let digits = 5...20
    /// Bytes of a phone number with everything between its digits.
    static let longestPhone = 40

    /// What it needs, as the end of a sentence.
    package var need: String {
        switch self {
        case .name: "a name of at most \(Limits.name) bytes"
        case .mail: MailAddress.need
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
        if let why = MailAddress.fault(text) { throw fault(why) }
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
