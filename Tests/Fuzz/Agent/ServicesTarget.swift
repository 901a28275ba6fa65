// SPDX-License-Identifier: Apache-2.0
@testable import Aviation
@testable import Boarding
import CivilTime
import FuzzKit
@testable import Places
import Protocol
@testable import Text
@testable import Trips
import Venues

/// What services and other programs answer: a schedule, a geocoder, a program that knows the
/// position, and the process that reads strangers' pictures. Nothing of it acts on a terminal.
///
/// Input: who answers, then the answer.
enum ServicesTarget {
    static func run(_ input: [UInt8]) -> Verdict {
        guard let kind = input.first else { return .refused }
        let rest = Array(input.dropFirst())
        return switch kind % 4 {
        case 0: schedule(rest)
        case 1: geocoder(rest)
        case 2: position(rest)
        default: reading(rest)
        }
    }

    private static func isSafe(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy(\.isSafeToPrint)
    }

    private static func schedule(_ bytes: [UInt8]) -> Verdict {
        guard let flight = FlightName("XY123/2026-03-01/FRA") else { broken("no such flight") }
        switch ScheduleAnswer(bytes, for: flight, zones: { _ in nil }) {
        case .unknown: return .refused
        case .failed(let why):
            hold(isSafe(why) && why.utf8.count < 500, "a reason that acts, or has no end")
            return .refused
        case .found(let found):
            hold(found.to.map(Trip.isAirport) ?? true, "an airport that is none")
            hold(found.operatedAs.map { isSafe($0) && $0.utf8.count < 12 } ?? true, "no number")
            for time in [found.departs, found.arrives].compactMap({ $0 }) {
                hold(time.date.text.utf8.count == 10 && time.clock.utf8.count == 5, "no time")
            }
            if let departs = found.departs {
                hold(departs.date.text == flight.date, "it leaves on another day")
            }
            return .accepted
        }
    }

    private static func geocoder(_ bytes: [UInt8]) -> Verdict {
        guard let json = try? JSON(line: bytes), let named = try? OnlineGeocoder.read(json) else {
            return .refused
        }
        hold(isSafe(named.text), "a name that acts")
        hold(cellWidth(named.name) <= Gazetteer.nameLimit, "a name without an end")
        check(named.at)
        return .accepted
    }

    private static func position(_ bytes: [UInt8]) -> Verdict {
        guard let point = DevicePosition.read(bytes) else { return .refused }
        check(point)
        return .accepted
    }

    private static func check(_ point: Venue.Point) {
        hold(abs(point.north) <= 900_000_000, "beyond a pole")
        hold(abs(point.east) <= 1_800_000_000, "once round and on")
        let link = point.link.dropFirst("geo:".count)
        hold(DevicePosition.read(Array(link.utf8)) == point, "elsewhere when it is read again")
    }

    /// The process that read a picture is hostile once the picture was.
    private static func reading(_ bytes: [UInt8]) -> Verdict {
        guard let json = try? JSON(line: bytes), let reading = PassReading(json: json) else {
            return .refused
        }
        hold(PassReading(json: reading.json) == reading, "another when it is said again")
        hold(1...4 ~= reading.pass.legs.count, "a pass of no flights, or of many")
        for leg in reading.pass.legs {
            for text in [leg.from, leg.to, leg.carrier, leg.flight, leg.compartment] {
                hold(text.map { isSafe($0) && $0.utf8.count <= 8 } ?? true, "a word that acts")
            }
        }
        return .accepted
    }
}
