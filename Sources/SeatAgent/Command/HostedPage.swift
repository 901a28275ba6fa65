// SPDX-License-Identifier: Apache-2.0
import Profile
import QR
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
    /// Over HTTPS, the SHA-256 of the certificate in hexadecimal digits, its first bytes as
    /// browsers show them, and words for it.
    private let certificate: (digest: String, start: String, words: String)?

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
        let mark = (kept("certificate") ?? "").split(separator: "\n").map(String.init)
        certificate = mark.count == 3 ? (mark[0], mark[1], mark[2]) : nil
        gift = (kept("get") ?? "").split(separator: " ").map(String.init)
        self.words = words.split(separator: " ").map(String.init)
    }

    /// The address without the key.
    var short: String { String(address.prefix { $0 != "#" }.dropLast()) }

    /// Its TCP port.
    var port: UInt16? { short.split(separator: ":").last.flatMap { UInt16($0) } }

    /// Whether it is served over HTTPS.
    var isSecure: Bool { certificate != nil }

    /// Below the list of guests.
    var lines: [String] {
        let typed = [
            "The page is at \(short). Who types that compares these words with you:",
            "  " + words.joined(separator: " "),
        ]
        guard let certificate else { return typed }
        return typed + [
            "The SHA-256 fingerprint of its certificate begins with \(certificate.start)",
            "  " + certificate.words,
        ]
    }

    /// Below the code on paper, in blocks of short lines.
    var printed: [[String]] {
        var page =
            [short] + [words.prefix(3), words.dropFirst(3)].map { $0.joined(separator: " ") }
        if let certificate {
            page += ["Certificate, SHA-256:", certificate.start]
            page += Self.wrapped(certificate.words)
        }
        guard gift.count == 2 else { return [page] }
        let digits = Array(gift[0])
        let sum = stride(from: 0, to: digits.count, by: 16).map { start in
            String(digits[start..<min(start + 16, digits.count)])
        }
        let whole = short + "/get"
        let get = whole.count <= Poster.lettersInColumn ? [whole] : [short, "  /get"]
        return [page, get + [gift[1], "SHA-256"] + sum]
    }

    /// Words in lines that fit into a column of the poster.
    private static func wrapped(_ words: String) -> [String] {
        words.split(separator: " ").reduce(into: []) { lines, word in
            if let last = lines.last, last.count + 1 + word.count < Poster.lettersInColumn {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
    }

    /// For programs.
    var json: JSON {
        .object(present: [
            "address": .string(short),
            "words": .string(words.joined(separator: " ")),
            "certificate": certificate.map { mark in
                ["sha256": .string(mark.digest), "words": .string(mark.words)]
            },
            "get": gift.count == 2
                ? ["sha256": .string(gift[0]), "name": .string(gift[1])] : nil,
        ])
    }
}
