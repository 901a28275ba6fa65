// SPDX-License-Identifier: Apache-2.0
import System
package import Text

/// Where the agents of guests keep their files: ordinary profiles below those of their host, who
/// takes people in who have no more than a browser (docs/page.md section 5).
extension ProfilePlace {
    /// Numbers of guests.
    package static let guestNumbers = 1...40

    /// The port on which the agent of a guest listens: one rule of a firewall opens them all.
    package static func port(ofGuest number: Int) -> UInt16 { UInt16(7711 + number) }

    /// What the host keeps for the page.
    package var hostDirectory: String { dataDirectory + "/host" }

    /// Environment variables that lead a program to a guest's places instead of the host's own.
    package func variables(ofGuest number: Int) -> [String: String] {
        var own = variables
        own["XDG_DATA_HOME"] = dataDirectory + "/guests"
        own["XDG_STATE_HOME"] = stateDirectory + "/guests"
        // The host's settings are not the guest's.
        own["XDG_CONFIG_HOME"] = dataDirectory + "/guests"
        let socket = self.socket.path
        let stem = socket.hasSuffix(".sock") ? String(socket.dropLast(5)) : socket
        own["SEATAGENT_SOCKET"] = "\(stem).guest-\(number).sock"
        return own
    }

    /// The places of a guest. Throws if a path is too long.
    package func guest(_ number: Int) throws(UserError) -> ProfilePlace {
        try ProfilePlace(
            profile: ProfileName("guest-\(number)"), environment: variables(ofGuest: number))
    }

    /// What the name of a file ends with that holds a key taken along, beside its flight's file.
    package static let takenEnd = ".taken"

    /// The sealed key that a passenger took along from this profile; `nil` if none did.
    package var takenKey: String? {
        let names = Folder.names(in: dataDirectory).filter { $0.hasSuffix(".db" + Self.takenEnd) }
        guard let name = names.min(),
            let text = try? PrivateFile.read(dataDirectory + "/" + name, limit: 4096)
        else { return nil }
        return String(decoding: text.prefix { $0 != 10 }, as: UTF8.self)
    }
}
