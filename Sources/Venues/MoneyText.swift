// SPDX-License-Identifier: Apache-2.0

/// Amounts of money as people write them: `20.00 USD`.
package enum MoneyText {
    /// Currencies without cents, and those with a thousandth (ISO 4217); all others have cents.
    private static let whole = [
        "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND",
        "VUV", "XAF", "XOF", "XPF",
    ]
    private static let thousandths = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]

    /// `amount` of the smallest unit of that currency.
    package static func words(_ amount: Int, _ currency: String) -> String {
        let decimals = whole.contains(currency) ? 0 : thousandths.contains(currency) ? 3 : 2
        let digits = String(amount.magnitude)
        let padded = String(repeating: "0", count: max(decimals + 1 - digits.count, 0)) + digits
        let sign = amount < 0 ? "-" : ""
        guard decimals > 0 else { return "\(sign)\(padded) \(currency)" }
        return "\(sign)\(padded.dropLast(decimals)).\(padded.suffix(decimals)) \(currency)"
    }
}
