// SPDX-License-Identifier: Apache-2.0
import Glibc
import Launch
import Profile
import QR
import System
import Text

/// `seatagent host poster`: the code of the page as a picture, with words for whoever passes by,
/// and the code of the Wi-Fi if that is wanted.
struct HostPoster {
    private let call: Invocation

    init(_ call: Invocation) { self.call = call }

    func draw(_ file: String) throws(UserError) -> ExitCode {
        guard let page = HostedPage(call.place), let code = QRCode(page.address) else {
            throw UserError(
                .notAllowedNow, "there is no page that a code could lead to",
                why: "seatagent host on does not run", advice: "seatagent host on")
        }
        guard call.line.value("wifi") != nil || !call.line.has("passphrase-file") else {
            throw UserError(
                .usage, "--passphrase-file is for the code of a Wi-Fi",
                why: "no --wifi says of which one", advice: "seatagent host poster poster.png")
        }
        let words = self.words
        let hotspots = Hotspot.running(path: call.session.environment["PATH"] ?? "")
        let blocks = words.blocks(
            withWiFi: call.line.value("wifi") != nil, isSecure: page.isSecure)
        let poster: Poster
        if let name = call.line.value("wifi") {
            let signs = [
                Poster.Sign(try wifi(name, hotspots), "1 \(name)"), Poster.Sign(code, "2"),
            ]
            poster = Poster(signs, below: blocks + page.printed)
        } else {
            poster = Poster([Poster.Sign(code, "")], below: blocks + page.printed)
        }
        let picture = file.lowercased().hasSuffix(".png") ? poster.png : Array(poster.svg.utf8)
        try PrivateFile.write(picture, to: file)
        var lines = ["\(visible(file)) leads to the page until you change your network."]
        if let name = call.line.value("wifi") {
            lines.append(
                "It lets whoever sees it into \(visible(name, cells: 40)): "
                    + "the passphrase is in the code.")
        } else if let hotspot = hotspots.first {
            call.hint(
                "note: this computer runs the hotspot \(visible(hotspot.name, cells: 40)); "
                    + "--wifi NAME also draws the code that lets phones into it")
        }
        return call.finish(["file": .string(file)], lines)
    }

    /// What there is to do for whoever scans it.
    private var words: PosterWords {
        guard let stored = try? StoredOptions.read(call.place), stored.venue != nil else {
            return .flight
        }
        return stored.venueStart?.venue?.hasBookings == false ? .counted : .booked
    }

    /// The code of a network: its passphrase is that of the hotspot, or is asked for.
    private func wifi(_ name: String, _ hotspots: [Hotspot]) throws(UserError) -> QRCode {
        let again = "seatagent host poster poster.png --wifi NAME"
        // A key of 64 digits, which a hotspot may be kept with, is no passphrase: it is asked for.
        let kept = hotspots.first { $0.name == name }?.passphrase
        let isAsked = call.line.has("passphrase-file") || (kept?.utf8.count ?? 0) > 63
        let known = isAsked ? nil : kept
        let passphrase: String
        if let known {
            passphrase = known
        } else {
            let typed = try PassphraseQuestion(call, again: again).known()
            passphrase = String(decoding: typed, as: UTF8.self)
        }
        do throws(WiFiText.Fault) {
            let text = try WiFiText.of(name, passphrase: passphrase)
            if let code = QRCode(text) { return code }
            throw .name
        } catch {
            switch error {
            case .name:
                throw UserError(
                    .usage, "this is no name of a Wi-Fi", why: "it has 1 to 32 bytes of text",
                    advice: again)
            case .passphrase:
                throw UserError(
                    .usage, "this is no passphrase of a Wi-Fi", why: "it has 8 to 63 letters",
                    advice: again)
            }
        }
    }
}
