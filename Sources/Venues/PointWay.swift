// SPDX-License-Identifier: Apache-2.0
import Glibc

/// From one position to another.
extension Venue.Point {
    /// Reads `45.5017,-73.5673`, degrees north and east with at most seven decimals; `nil` for
    /// anything else.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, let north = Self.tenMillionths(parts[0]),
            let east = Self.tenMillionths(parts[1])
        else { return nil }
        self.init(north: north, east: east)
    }

    /// Reads degrees north and east as programs and lists write them: what is beyond seven
    /// decimals, a centimetre, is cut off. `nil` for anything else.
    package init?(cutting north: some StringProtocol, _ east: some StringProtocol) {
        guard let north = Self.tenMillionths(north, decimals: 20),
            let east = Self.tenMillionths(east, decimals: 20)
        else { return nil }
        self.init(north: north, east: east)
    }

    /// `-73.5673` in ten millionths; blanks around it do not count.
    private static func tenMillionths(
        _ text: some StringProtocol, decimals most: Int = 7
    ) -> Int? {
        var units = Array(text.utf8)[...].drop { $0 == 32 }
        while units.last == 32 { units = units.dropLast() }
        var sign = 1
        if let first = units.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
            sign = first == UInt8(ascii: "-") ? -1 : 1
            units = units.dropFirst()
        }
        let parts = units.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard 1...2 ~= parts.count, 1...3 ~= parts[0].count,
            parts.allSatisfy({ $0.allSatisfy { 48...57 ~= $0 } }),
            parts.count == 1 || 1...most ~= parts[1].count
        else { return nil }
        var value = 0
        for unit in parts[0] { value = value * 10 + Int(unit) - 48 }
        let decimals = parts.count == 2 ? Array(parts[1]) : []
        for index in 0..<7 {
            value = value * 10 + (index < decimals.count ? Int(decimals[index]) - 48 : 0)
        }
        return sign * value
    }

    /// The Earth as a sphere: its mean radius in metres, right to half a percent everywhere.
    private static let radius = 6_371_008.8

    private var radians: (north: Double, east: Double) {
        let unit = Double(Self.unit) * 180 / Double.pi
        return (Double(north) / unit, Double(east) / unit)
    }

    /// Metres to `other`, along the surface.
    package func distance(to other: Venue.Point) -> Double {
        let (here, there) = (radians, other.radians)
        let high = sin((there.north - here.north) / 2)
        let wide = sin((there.east - here.east) / 2)
        let square = high * high + cos(here.north) * cos(there.north) * wide * wide
        return 2 * Self.radius * asin(min(square.squareRoot(), 1))
    }

    /// In which direction one sets out to `other`, in degrees from north over east, 0..<360.
    package func bearing(to other: Venue.Point) -> Double {
        let (here, there) = (radians, other.radians)
        let turn = there.east - here.east
        let east = sin(turn) * cos(there.north)
        let north =
            cos(here.north) * sin(there.north) - sin(here.north) * cos(there.north) * cos(turn)
        let degrees = atan2(east, north) * 180 / .pi
        return degrees < 0 ? degrees + 360 : degrees
    }

    private static let winds = [
        "north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west",
    ]

    /// `1.2 km, north-east`; `here` for less than five metres.
    package func way(to other: Venue.Point) -> String {
        let metres = distance(to: other)
        guard metres >= 5 else { return "here" }
        let wind = Self.winds[Int((bearing(to: other) / 45).rounded()) % Self.winds.count]
        return "\(Self.length(metres)), \(wind)"
    }

    /// `80 m`, `1.2 km`, `13 km`.
    package static func length(_ metres: Double) -> String {
        if metres < 995 { return "\(Int((metres / 10).rounded()) * 10) m" }
        let tenths = Int((metres / 100).rounded())
        return tenths < 100 ? "\(tenths / 10).\(tenths % 10) km" : "\((tenths + 5) / 10) km"
    }

    /// A page of OpenStreetMap with a mark there.
    package var mapLink: String {
        let parts = link.dropFirst("geo:".count).split(separator: ",")
        return "https://www.openstreetmap.org/?mlat=\(parts[0])&mlon=\(parts[1])"
            + "#map=18/\(parts[0])/\(parts[1])"
    }
}
