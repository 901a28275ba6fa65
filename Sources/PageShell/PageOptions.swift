// SPDX-License-Identifier: Apache-2.0
import Profile
import Protocol
import System
import Text
import Web

/// What the program was told.
struct PageOptions {
    var profile = ProfileName.standard
    var port = PageProgram.port
    var json = false
    /// For a host with guests; `nil` for the user's own page.
    var host: HostOptions?

    /// Reads the words behind the program's name. Throws `usage`.
    init(_ arguments: [String]) throws(UserError) {
        var rest = arguments[...]
        var host = HostOptions()
        var isHost = false
        func value() throws(UserError) -> String {
            guard let word = rest.popFirst() else { throw Self.usage }
            return word
        }
        while let word = rest.popFirst() {
            switch word {
            case "--json": json = true
            case "--host": isHost = true
            case "--open": host.isOpen = true
            case "--ascii": host.isASCII = true
            case "--https": host.isSecure = true
            case "--program": host.program = try value()
            case "--get": host.gift = try value()
            case "--name": host.name = try value()
            case "--flight": host.flight = try value()
            case "--venue": host.venue = try value()
            case "--profile": profile = try ProfileName(value())
            case "--joins": host.joins = Int(try value()) ?? host.joins
            case "--idle": host.idle = try Self.limits(value())
            case "--port": port = try Self.port(value())
            case "--address": host.address = try Self.address(value())
            default: throw Self.usage
            }
        }
        if isHost { self.host = host }
    }

    private static func port(_ text: String) throws(UserError) -> UInt16 {
        guard let number = UInt16(text) else { throw usage }
        return number
    }

    /// Seconds without a seat and seconds away: for tests, which have no hour.
    private static func limits(_ text: String) throws(UserError) -> GuestIdle.Limits {
        let numbers = text.split(separator: ",").compactMap { Int64($0) }
        guard numbers.count == 2, numbers.allSatisfy({ 1...86_400 ~= $0 }) else { throw usage }
        var limits = GuestIdle.Limits()
        limits.withoutSeat = .seconds(numbers[0])
        limits.away = .seconds(numbers[1])
        return limits
    }

    private static func address(_ text: String) throws(UserError) -> Address.Host {
        do throws(AddressError) {
            return try Address.Host(parsing: text)
        } catch {
            throw usage
        }
    }

    private static let usage = UserError(
        .usage, "\(PageProgram.name) is started by seatagent", why: "it serves a page of an agent",
        advice: "seatagent help web")
}

/// What it is told of the host.
struct HostOptions {
    /// The address at which phones reach this computer.
    var address = Address.Host.loopback4
    /// The program that starts agents.
    var program = "seatagent"
    /// What others know the host as.
    var name = ""
    /// The file that is given to laptops.
    var gift: String?
    /// A word for the flight, for the address.
    var flight: String?
    /// What the venue is called into which guests come; `nil` for a flight.
    var venue: String?
    /// Whether nobody is asked.
    var isOpen = false
    /// Joins within a minute.
    var joins = 3
    /// How long a place is kept for who does nothing with it.
    var idle = GuestIdle.Limits()
    /// Whether the page is served over HTTPS.
    var isSecure = false
    /// Whether the code is drawn with plain signs.
    var isASCII = false
}
