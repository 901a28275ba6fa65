// SPDX-License-Identifier: Apache-2.0
package import Profile
import Protocol
import System
package import Text
package import Venues

/// Where this computer is: as the driver's own program says, the setting `location.command`, or as
/// GeoClue does, which is asked only if there is no such program.
package struct DevicePosition: Hashable, Sendable {
    /// Who said it.
    package enum Source: String, Hashable, Sendable {
        case program
        case geoClue = "geoclue"
    }

    package let at: Venue.Point
    package let source: Source
    /// Metres within which it is right; `nil` where the source does not say.
    package let accuracy: Double?

    private init(_ at: Venue.Point, _ source: Source, accuracy: Double? = nil) {
        self.at = at
        self.source = source
        self.accuracy = accuracy
    }

    /// What GeoClue said: degrees, and metres. `nil` for what is not on the Earth.
    package init?(latitude: Double, longitude: Double, accuracy: Double?) {
        // What is no number is not less than anything.
        guard abs(latitude) <= 90, abs(longitude) <= 180, (accuracy ?? 0) >= 0 else { return nil }
        let parts = [latitude, longitude].map { Int(($0 * Double(Venue.Point.unit)).rounded()) }
        guard let at = Venue.Point(north: parts[0], east: parts[1]) else { return nil }
        self.init(at, .geoClue, accuracy: accuracy)
    }

    /// The farthest that a car may be from where its record says, in metres: beyond it, nobody
    /// finds it by walking there.
    static let rough = 1000.0

    /// Whether it is too rough to be where a car stands. A program's own word counts as it is.
    package var isRough: Bool { source == .geoClue && (accuracy ?? .infinity) > Self.rough }

    /// `within 30 m by GeoClue`, whole tens rounded up; `nil` for a program's.
    package var words: String? {
        guard source == .geoClue else { return nil }
        guard let accuracy, accuracy.isFinite else {
            return "by GeoClue, which does not say how well"
        }
        let tens = max(10, (accuracy / 10).rounded(.up) * 10)
        return "within \(Venue.Point.length(tens)) by GeoClue"
    }

    /// For scripts.
    package var json: JSON {
        .object(present: [
            "at": .string(at.text), "by": .string(source.rawValue),
            "accuracy": accuracy.map { .double($0.rounded(.up)) },
        ])
    }

    /// The longest time to wait for it: a receiver outdoors needs some seconds.
    static let patience = TimeSpan.seconds(20)
    /// Bytes of two angles and what may stand around them.
    private static let limit = 128

    /// Asks the driver's own program; `nil` if none is set. Throws `failed` if it says nothing
    /// that is a position.
    package static func ofProgram(
        _ config: Config, environment: [String: String]
    ) throws(UserError) -> DevicePosition? {
        let words = config.value(.locationCommand).split(whereSeparator: \.isWhitespace)
            .map(String.init)
        guard let program = words.first else { return nil }
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
        return DevicePosition(point, .program)
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
