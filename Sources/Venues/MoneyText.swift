// SPDX-License-Identifier: Apache-2.0

/// Amounts of money as people write them: `20.00 USD`.
package enum MoneyText {
    /// Currencies without cents, and those with a thousandth (ISO 4217); all others have cents.
    private static let whole = [
        "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND",
        "VUV", "XAF", "XOF", "XPF",
    ]
    private static let thousandths = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]

    /// How many digits of an amount are behind the point.
    private static func decimals(_ currency: String) -> Int {
        whole.contains(currency) ? 0 : thousandths.contains(currency) ? 3 : 2
    }

    /// Reads `20` or `20.00`, an amount of that currency, in its smallest unit; `nil` for anything
    /// else, and for more than nine digits before the point.
    package static func amount(_ text: String, _ currency: String) -> Int? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let decimals = decimals(currency)
        guard 1...2 ~= parts.count, 1...9 ~= parts[0].utf8.count,
            parts.allSatisfy({ $0.utf8.allSatisfy { 48...57 ~= $0 } }),
            parts.count == 1 || decimals > 0 && parts[1].utf8.count == decimals
        else { return nil }
        let zeros = String(repeating: "0", count: decimals)
        return Int(String(parts[0]) + (parts.count == 2 ? String(parts[1]) : zeros))
    }

    /// `amount` of the smallest unit of that currency.
    package static func words(_ amount: Int, _ currency: String) -> String {
        let decimals = decimals(currency)
        let digits = String(amount.magnitude)
        let padded = String(repeating: "0", count: max(decimals + 1 - digits.count, 0)) + digits
        let sign = amount < 0 ? "-" : ""
        guard decimals > 0 else { return "\(sign)\(padded) \(currency)" }
        return "\(sign)\(padded.dropLast(decimals)).\(padded.suffix(decimals)) \(currency)"
    }
}
