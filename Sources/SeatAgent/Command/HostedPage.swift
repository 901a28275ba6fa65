// SPDX-License-Identifier: Apache-2.0
import Profile
import System
import Text

/// The page that `seatagent host on` serves at this moment, as it wrote it down.
struct HostedPage {
    /// What the code leads to, with the key.
    let address: String
    /// Six words of the key, for whoever types the address.
    let words: [String]
    /// The checksum and the name of what laptops get at `/get`, if anything.
    let gift: [String]

    /// `nil` while no page is served.
    init?(_ place: ProfilePlace) {
        let folder = place.hostDirectory
        func kept(_ name: String) -> String? {
            (try? PrivateFile.read("\(folder)/\(name)", limit: 4096)).flatMap { $0 }
                .map { String(decoding: $0, as: UTF8.self) }
        }
        guard ProfileLock.holder(of: folder + "/lock") != nil, let address = kept("address"),
            let words = kept("words")
        else { return nil }
        self.address = address
        gift = (kept("get") ?? "").split(separator: " ").map(String.init)
        self.words = words.split(separator: " ").map(String.init)
    }

    /// The address without the key.
    var short: String { String(address.prefix { $0 != "#" }.trimmingPrefix("http://").dropLast()) }

    /// Its TCP port.
    var port: UInt16? { short.split(separator: ":").last.flatMap { UInt16($0) } }

    /// Below the list of guests.
    var lines: [String] {
        [
            "The page is at http://\(short). Who types that compares these words with you:",
            "  " + words.joined(separator: " "),
        ]
    }

    /// Below the code on paper, in blocks of short lines.
    var printed: [[String]] {
        let typed = [words.prefix(3), words.dropFirst(3)].map { $0.joined(separator: " ") }
        let page = ["http://" + short] + typed
        guard gift.count == 2 else { return [page] }
        let digits = Array(gift[0])
        let sum = stride(from: 0, to: digits.count, by: 16).map { start in
            String(digits[start..<min(start + 16, digits.count)])
        }
        return [page, ["http://\(short)/get", gift[1], "SHA-256"] + sum]
    }

    /// For programs.
    var json: JSON {
        .object(present: [
            "address": .string("http://" + short),
            "words": .string(words.joined(separator: " ")),
            "get": gift.count == 2
                ? ["sha256": .string(gift[0]), "name": .string(gift[1])] : nil,
        ])
    }
}
