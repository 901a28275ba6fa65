// SPDX-License-Identifier: Apache-2.0
import Brokers
import Profile
import Protocol
import System
import Text

/// When a profile goes to a meeting point, and what it leaves there.
struct MeetSettings: Hashable, Sendable {
    /// Whether the own records are left there.
    let keepsMailbox: Bool
    /// Not before that; `nil` for at once.
    let begins: UTCTime?

    /// The settings of a profile, for a flight that departs then, if that is known.
    init(_ place: ProfilePlace, departs: UTCTime?) throws(UserError) {
        let config = try Config.load(place)
        keepsMailbox = config.value(.rendezvousMailbox) != "off"
        let hours = Int64(config.value(.rendezvousHours))
        begins = departs.flatMap { departs in
            hours.map { UTCTime(seconds: departs.seconds - $0 * 3600) }
        }
    }
}

/// How a profile connects to a meeting point.
extension BrokerPool.Setup {
    /// With the roots, the name and the password of the configuration. Throws what people should be
    /// told.
    init(_ address: MeetAddress, of place: ProfilePlace) throws(UserError) {
        let config = try Config.load(place)
        try self.init(
            address: address, roots: Self.file(config.value(.rendezvousCA)),
            folder: place.stateDirectory)
        let user = config.value(.rendezvousUser)
        if !user.isEmpty { self.user = user }
        password = try Self.password(config.value(.rendezvousPassword))
    }

    private static func file(_ text: String) -> String? {
        guard !text.isEmpty else { return nil }
        guard text.hasPrefix("~/") else { return text }
        let environment = ProcessEnvironment.variables()
        return environment["HOME", default: ""] + text.dropFirst()
    }

    private static func password(_ text: String) throws(UserError) -> String? {
        guard let path = file(text) else { return nil }
        guard let bytes = try PrivateFile.read(path, limit: 4096) else {
            throw UserError(
                .file, "the password for the meeting point is not there", why: path,
                advice: "seatagent config set rendezvous.password-file \"\"")
        }
        let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
        return String(decoding: line, as: UTF8.self)
    }
}
