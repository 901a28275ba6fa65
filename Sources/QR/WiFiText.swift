// SPDX-License-Identifier: Apache-2.0
/// The text of a code that lets a phone into a Wi-Fi, as cameras of phones read it:
/// `WIFI:T:WPA;S:name;P:passphrase;;`.
package enum WiFiText {
    /// Why there is no such text.
    package enum Fault: Error, Hashable, Sendable {
        /// Names have 1 to 32 bytes (IEEE 802.11).
        case name
        /// Passphrases have 8 to 63 signs of ASCII.
        case passphrase
    }

    /// The text for the network `name` with WPA.
    package static func of(_ name: String, passphrase: String) throws(Fault) -> String {
        guard 1...32 ~= name.utf8.count, !name.unicodeScalars.contains(where: { $0.value < 32 })
        else { throw .name }
        guard 8...63 ~= passphrase.utf8.count, passphrase.utf8.allSatisfy({ 32...126 ~= $0 })
        else { throw .passphrase }
        return "WIFI:T:WPA;S:\(escaped(name));P:\(escaped(passphrase));;"
    }

    /// By scalars: a mark behind a sign would make another character of it.
    private static func escaped(_ text: String) -> String {
        var out = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if "\\;,:\"".unicodeScalars.contains(scalar) { out.append("\\") }
            out.append(scalar)
        }
        return String(out)
    }
}
