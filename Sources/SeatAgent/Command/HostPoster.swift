// SPDX-License-Identifier: Apache-2.0
import Glibc
import Profile
import QR
import System
import Text

/// `seatagent host poster`: the code of the page as a picture, with words for whoever passes by.
struct HostPoster {
    private let call: Invocation

    /// What the picture says, a line in each of six languages.
    static let lines = [
        "Swap seats: scan this with your phone",
        "Sitze tauschen: mit dem Handy scannen",
        "Échanger des sièges : scannez ce code",
        "Cambiar asientos: escanea este código",
        "Scambiare posti: inquadra il codice",
        "Zamiana miejsc: zeskanuj ten kod",
    ]

    init(_ call: Invocation) { self.call = call }

    func draw(_ file: String) throws(UserError) -> ExitCode {
        let folder = call.place.hostDirectory
        guard ProfileLock.holder(of: folder + "/lock") != nil,
            let bytes = try PrivateFile.read(folder + "/address", limit: 4096),
            let code = QRCode(String(decoding: bytes, as: UTF8.self))
        else {
            throw UserError(
                .notAllowedNow, "there is no page that a code could lead to",
                why: "seatagent host on does not run", advice: "seatagent host on")
        }
        try PrivateFile.write(Array(code.svg(below: Self.lines).utf8), to: file)
        return call.finish(
            ["file": .string(file)],
            ["\(visible(file)) leads to the page until you change your network."])
    }
}
