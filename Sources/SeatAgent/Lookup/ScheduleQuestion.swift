import Protocol

/// What a schedule service is asked for: all departures of one airline from one airport on one day; of
/// all airlines, for one that flies under several codes. The service learns so much and not the flight,
/// which is looked for here. A pure value.
struct ScheduleQuestion: Hashable, Sendable {
    /// The flight that is looked for.
    let flight: FlightName
    /// Whether it departs today, by the clock at its airport: another list of the service.
    let isToday: Bool

    /// The address, at a service as AviationEdge has it. `base` and `key` are of the settings.
    func url(base: String, key: String) -> String {
        let common = "key=\(key)&type=departure&iataCode=\(flight.origin)"
        // A family flies under several codes, of which the service would know one; Ryanair's all use FR.
        let family = Airlines.named(flight.carrier)?.family
        let rest = family != nil && family != .ryanair ? "" : "&airline_iata=\(flight.carrier)"
        return isToday
            ? "\(base)/timetable?\(common)\(rest)"
            : "\(base)/flightsFuture?\(common)&date=\(flight.date)\(rest)"
    }

    /// Whether `key` may stand in an address as it is.
    static func isKey(_ key: String) -> Bool {
        1...128 ~= key.utf8.count
            && key.utf8.allSatisfy {
                48...57 ~= $0 || 65...90 ~= $0 & 0xDF || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F
            }
    }

    /// Whether `base` is the address of a service: encrypted, or on this machine.
    static func isBase(_ base: String) -> Bool {
        let isHere = ["http://127.0.0.1", "http://[::1]"].contains { start in
            // A longer name that begins so is another machine's.
            base.hasPrefix(start) && [":", "/"].contains(base.dropFirst(start.count).first)
        }
        return (isHere || base.hasPrefix("https://") && base.utf8.count > 8) && isPlain(base)
    }

    private static func isPlain(_ base: String) -> Bool {
        base.utf8.count <= 256 && !base.hasSuffix("/")
            && base.utf8.allSatisfy {
                48...57 ~= $0 || 65...90 ~= $0 & 0xDF || "-._~/:[]".utf8.contains($0)
            }
    }
}
