// SPDX-License-Identifier: Apache-2.0
import Protocol
import System

/// Asks GeoClue 2 where this computer is: `org.freedesktop.GeoClue2` on the system's D-Bus.
///
/// GeoClue forgets a client whose connection closes, so all of it happens on one connection, and
/// nothing is left of it when that closes. Waits; meant for a process that does nothing else.
package struct GeoClue {
    /// From the first word to the position: a receiver outdoors needs some seconds.
    static let patience = TimeSpan.seconds(20)
    /// Of these, until the service runs and knows its client.
    static let startPatience = TimeSpan.seconds(5)
    /// How often it is looked at, should no signal come.
    private static let glance = TimeSpan.seconds(1)

    private static let name = "org.freedesktop.GeoClue2"
    private static let client = name + ".Client"
    private static let match =
        "type='signal',sender='\(name)',interface='\(client)',member='LocationUpdated'"
    private static let properties = "org.freedesktop.DBus.Properties"
    /// By which GeoClue's settings and the desktop's agent know this program.
    private static let desktopID = "seatagent"
    /// The street and closer: `GCLUE_ACCURACY_LEVEL_EXACT`.
    private static let exact: UInt32 = 8

    private let bus: SystemBus
    /// The service as the bus numbers it: another one that takes its place is not meant.
    private let owner: String
    private let path: String
    private let end: Instant

    /// Where this computer is. Throws why that is not known.
    package static func position(
        environment: [String: String]
    ) throws(GeoClueFault) -> GeoClueFix {
        let now = SystemClock.now()
        let geoclue = try GeoClue(environment, started: now + startPatience, end: now + patience)
        defer { geoclue.leave() }
        try geoclue.start()
        return try geoclue.wait()
    }

    /// Connects, has the service started and becomes its client.
    private init(
        _ environment: [String: String], started: Instant, end: Instant
    ) throws(GeoClueFault) {
        self.end = end
        do throws(BusFault) {
            bus = try SystemBus(environment: environment, until: started)
        } catch {
            throw Self.noBus(error)
        }
        do throws(BusFault) {
            owner = try Self.owner(bus, until: started)
            _ = try bus.call(.bus, "AddMatch", [.plain(.text(Self.match))], until: started)
        } catch {
            throw Self.notStarted(error)
        }
        do throws(BusFault) {
            path = try bus.call(Self.manager(owner), "GetClient", until: started).path()
        } catch {
            // It answers only once an agent of the user's session has come.
            if error == .silent { throw .noAgent }
            throw Self.fault(error)
        }
    }

    /// The service's own name on the bus, which starts it if nobody has its name.
    private static func owner(
        _ bus: SystemBus, until end: Instant
    ) throws(BusFault) -> String {
        let name = SystemBus.Argument.plain(.text(name))
        do throws(BusFault) {
            return try bus.call(.bus, "GetNameOwner", [name], until: end).name()
        } catch {
            // The bus starts only what it has a file for, even if that runs.
            guard case .refused = error else { throw error }
            _ = try bus.call(
                .bus, "StartServiceByName", [name, .plain(.number(0))], until: end)
            return try bus.call(.bus, "GetNameOwner", [name], until: end).name()
        }
    }

    private static func noBus(_ fault: BusFault) -> GeoClueFault {
        switch fault {
        case .refused(_, let text), .lost(let text): .noBus(text)
        case .silent, .odd: .noBus("")
        }
    }

    private static func notStarted(_ fault: BusFault) -> GeoClueFault {
        switch fault {
        case .refused("org.freedesktop.DBus.Error.ServiceUnknown", _): .absent
        case .refused(_, let text), .lost(let text): .notStarted(text)
        case .silent, .odd: .notStarted("")
        }
    }

    /// What a fault means after the service has answered once.
    static func fault(_ fault: BusFault) -> GeoClueFault {
        switch fault {
        case .refused("org.freedesktop.DBus.Error.AccessDenied", let text): .denied(text)
        case .refused(_, let text), .lost(let text): .gone(text)
        case .silent: .noPosition
        case .odd: .gone("")
        }
    }

    private static func manager(_ owner: String) -> SystemBus.Address {
        SystemBus.Address(
            name: owner, path: "/org/freedesktop/GeoClue2/Manager", interface: name + ".Manager")
    }

    private func at(_ path: String, _ interface: String) -> SystemBus.Address {
        SystemBus.Address(name: owner, path: path, interface: interface)
    }

    private func set(_ property: String, _ value: SystemBus.Value) throws(BusFault) {
        _ = try bus.call(
            at(path, Self.properties), "Set",
            [.plain(.text(Self.client)), .plain(.text(property)), .variant(value)], until: end)
    }

    private func start() throws(GeoClueFault) {
        do throws(BusFault) {
            try set("DesktopId", .text(Self.desktopID))
            try set("RequestedAccuracyLevel", .number(Self.exact))
            _ = try bus.call(at(path, Self.client), "Start", until: end)
        } catch {
            throw error == .silent ? .unanswered : Self.fault(error)
        }
    }

    /// Looks at the client's location whenever something is said, until one is good enough.
    private func wait() throws(GeoClueFault) -> GeoClueFix {
        var choice = FixChoice(until: end)
        var seen = "/"
        while !choice.isOver(at: SystemClock.now()) {
            let values: [String: Double]?
            do throws(BusFault) {
                values = try look(&seen, until: choice.end)
            } catch {
                if let best = choice.best { return best }
                throw Self.fault(error)
            }
            if let values {
                guard let fix = GeoClueFix(values) else { throw .impossible }
                choice.take(fix, at: SystemClock.now())
            } else {
                bus.pause(until: min(choice.end, SystemClock.now() + Self.glance))
            }
        }
        guard let best = choice.best else { throw .noPosition }
        return best
    }

    /// The numbers of the client's location, if it is another one than `seen`.
    private func look(
        _ seen: inout String, until end: Instant
    ) throws(BusFault) -> [String: Double]? {
        let location = try bus.call(
            at(path, Self.properties), "Get",
            [.plain(.text(Self.client)), .plain(.text("Location"))], until: end
        ).pathInside()
        // As long as it knows none, there is only a slash.
        guard location != seen, location != "/" else { return nil }
        do throws(BusFault) {
            let values = try bus.call(
                at(location, Self.properties), "GetAll",
                [.plain(.text(Self.name + ".Location"))], until: end
            ).doubles()
            seen = location
            return values
        } catch {
            // A newer one has taken its place meanwhile.
            guard case .refused(let name, _) = error, Self.missing.contains(name) else {
                throw error
            }
            return nil
        }
    }

    private static let missing = ["UnknownMethod", "UnknownObject", "UnknownInterface"].map {
        "org.freedesktop.DBus.Error." + $0
    }

    /// Says good-bye, so that nothing goes on looking; closing the connection says it too.
    private func leave() {
        let soon = SystemClock.now() + .milliseconds(500)
        _ = try? bus.call(at(path, Self.client), "Stop", until: soon)
        _ = try? bus.call(
            Self.manager(owner), "DeleteClient", [.plain(.path(path))], until: soon)
    }
}
