// SPDX-License-Identifier: Apache-2.0
package import Profile
import Protocol
import System
package import Text
package import Venues

/// Where this computer is, as the driver's own program says: the setting `location.command`.
///
/// Nothing else is asked. GeoClue answers only a program that keeps its connection to the system
/// bus open, so no call of `busctl` gets a position from it; a program that does can be set.
package enum DevicePosition {
    /// The longest time to wait for it: a receiver outdoors needs some seconds.
    static let patience = TimeSpan.seconds(20)
    /// Bytes of two angles and what may stand around them.
    private static let limit = 128

    /// Asks the program. Throws `usage` if none is set, and `failed` if it gives no position.
    package static func find(
        _ config: Config, environment: [String: String]
    ) throws(UserError) -> Venue.Point {
        let words = config.value(.locationCommand).split(whereSeparator: \.isWhitespace)
            .map(String.init)
        guard let program = words.first else {
            throw UserError(
                .usage, "nothing here says where you are", why: "location.command is not set",
                advice: "seatagent config set location.command \"cat /run/position\"")
        }
        let path =
            program.contains("/")
            ? program : ProgramOutput.find(program, path: environment["PATH", default: ""])
        guard let path else {
            throw failed("\(visible(program, cells: 40)) is not installed")
        }
        let output = ProgramOutput.of(
            [path] + words.dropFirst(), deadline: SystemClock.now() + patience,
            environment: environment.map { "\($0.key)=\($0.value)" }.sorted())
        guard let output else {
            throw failed(
                "it did not end well within \(patience.nanoseconds / 1_000_000_000) s")
        }
        guard let point = read(output) else {
            throw failed(
                "it printed \"\(visible(String(decoding: output.prefix(60), as: UTF8.self)))\"; "
                    + "degrees north and east are wanted, as 45.5017,-73.5673")
        }
        return point
    }

    private static func failed(_ why: String) -> UserError {
        UserError(
            .failed, "the program of location.command says no position", why: why,
            advice: "seatagent config get location.command")
    }

    /// Reads one line, `45.5017,-73.5673` or with blanks in place of the comma; `nil` for anything
    /// else.
    static func read(_ output: [UInt8]) -> Venue.Point? {
        guard output.count <= limit, let text = String(validating: output, as: UTF8.self) else {
            return nil
        }
        var line = text[...]
        if line.last == "\n" || line.last == "\r\n" { line = line.dropLast() }
        let isComma = line.contains(",")
        let parts = line.split(
            separator: isComma ? "," : " ", omittingEmptySubsequences: !isComma)
        return parts.count == 2 ? Venue.Point(cutting: parts[0], parts[1]) : nil
    }
}
