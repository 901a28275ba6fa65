// SPDX-License-Identifier: Apache-2.0
import Protocol
import QR
import Text
import Web

/// Where the page is, with what only its users should see behind the `#`, and what is printed.
struct PageAddress {
    let host: String
    let key: Bytes32
    let entry: [UInt8]?
    let flight: String?
    /// What people compare who have typed the address without the key; `nil` on loopback.
    let words: String?
    /// What people compare who are warned of the certificate; `nil` over HTTP.
    let certificate: CertificateMark?
    /// What is given to laptops.
    let gift: ServedFile?

    /// The address without the key.
    private var typed: String {
        (certificate == nil ? PageScheme.http : .https).before(host)
    }

    var text: String {
        let parts = [
            "k=" + Self.short(key.bytes), entry.map { "o=" + Self.short($0) },
            flight.map { "f=" + $0 },
        ]
        return typed + "/#" + parts.compactMap { $0 }.joined(separator: "&")
    }

    /// Base64 as it may stand in an address (RFC 4648 section 5), without what fills it up.
    private static func short(_ bytes: [UInt8]) -> String {
        Base64.encode(bytes).replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }

    /// What is printed once the page is served.
    func lines(_ port: UInt16, _ options: PageOptions) -> [String] {
        if options.json {
            let line = ["address": .string(text), "port": .int(Int(port))] as JSON
            return [
                line.adding(present: [
                    "words": words.map(JSON.string), "get": gift?.json,
                    "certificate": certificate.map { mark in
                        [
                            "sha256": .string(hexadecimal(mark.digest)),
                            "words": .string(mark.words.joined(separator: " ")),
                        ]
                    },
                ]).line
            ]
        }
        guard let host = options.host else {
            return [
                "The page of your agent: \(text)",
                "Open it in the browser of this computer: the address lets one page in.",
                "ctrl-C ends it; the agent goes on.",
            ]
        }
        return (QRCode(text)?.lines(ascii: host.isASCII) ?? []) + [
            "Who has a phone scans this, or opens \(text)"
        ] + warning + [
            "Who types \(typed) there compares six words with you:",
            "  " + (words ?? ""),
        ] + download + [
            host.isOpen
                ? "Everybody who does is let in." : "You are asked about everybody who does.",
            "ctrl-C ends the page; guests stay until seatagent host off.",
        ]
    }

    private var warning: [String] {
        guard let certificate else { return [] }
        return [
            "Their browser warns them, as nobody has signed the certificate of the page. They open",
            "it there, and go on only if its SHA-256 fingerprint begins with",
            "  " + certificate.start,
            "The same as words, to read to each other:",
            "  " + certificate.words.joined(separator: " "),
        ]
    }

    private var download: [String] {
        guard let gift else { return [] }
        return [
            "Laptops get \(gift.name) at \(typed)/get, with this SHA-256:", "  " + gift.sum,
        ]
    }
}
