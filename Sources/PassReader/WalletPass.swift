// SPDX-License-Identifier: Apache-2.0
import CivilTime
import Protocol
import Text

/// The content of a wallet's `pass.json`: the texts of its bar codes, and when it becomes relevant.
///
/// Contains the text of the pass, so it is only for the process that reads passes, which ends soon.
struct WalletPass {
    /// The texts of the codes, the best first. Whoever reads them wipes them.
    var messages: [[UInt8]] = []
    /// When it becomes relevant: the departure of the first flight.
    let relevant: UTCTime?
    /// The day of that by its author's clock.
    let day: FlightDate?

    /// More codes than a pass has.
    private static let most = 8

    /// Reads the bytes of `pass.json`. Throws `bad-pass`.
    init(_ bytes: [UInt8]) throws(UserError) {
        // A mark that some programs put in front of UTF-8.
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let json: JSON
        do throws(JSONError) {
            json = try JSON(line: Array(bytes[start...]))
        } catch {
            throw Self.refusal("its pass.json is damaged at byte \(error.offset)")
        }
        guard json.members != nil else { throw Self.refusal("its pass.json is no pass") }
        let codes = (json["barcodes"]?.list ?? []).prefix(Self.most) + [json["barcode"] ?? .null]
        for message in codes.compactMap({ $0["message"]?.text })
        where !message.isEmpty && !messages.contains(Array(message.utf8)) {
            messages.append(Array(message.utf8))
        }
        guard !messages.isEmpty else { throw Self.refusal("it has no bar code") }
        let date = json["relevantDate"]?.text ?? ""
        // Wallets leave the seconds out: 2026-03-05T06:30+00:00.
        relevant =
            RFC3339.parse(date) ?? RFC3339.parse("\(date.prefix(16)):00\(date.dropFirst(16))")
        day = relevant == nil ? nil : FlightDate(date.prefix(10))
    }

    /// Why a wallet's pass cannot be read.
    static func refusal(_ why: String) -> UserError {
        UserError(
            .badPass, "this pass of a wallet cannot be read", why: why,
            advice: "seatagent help board")
    }
}
