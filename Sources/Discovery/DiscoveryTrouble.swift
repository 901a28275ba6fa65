// SPDX-License-Identifier: Apache-2.0
/// Why finding and being found does not work, in the three parts people are told.
package enum DiscoveryTrouble: Equatable, Sendable {
    /// The daemon could not be reached.
    case noDaemon(DaemonFacts)
    /// The daemon was there and went away, or the system bus did.
    case daemonLost
    /// The daemon took the request and said nothing for `DiscoveryLimits.silence`.
    case silent
    /// There is no interface of this name.
    case noInterface(String)
    /// The daemon said no.
    case refused(DNSServiceError)
    /// No thread or no descriptor could be had.
    case noRoom
    /// Somebody else has our label; Avahi chose this one instead. Told for the record: publishing
    /// works, and no `recovered` follows.
    case labelTaken(chosen: String)

    /// What happened.
    package var what: String {
        switch self {
        case .noDaemon, .silent, .noInterface, .refused, .noRoom:
            "peers on this network cannot be found"
        case .daemonLost: "peers on this network cannot be found any more"
        case .labelTaken: "somebody else uses this agent's label"
        }
    }

    /// Why.
    package var why: String {
        switch self {
        case .noDaemon(let facts):
            if !facts.isInstalled {
                "avahi-daemon, which publishes and finds services, is not installed"
            } else if !facts.hasBus {
                "the system bus (D-Bus), over which avahi-daemon is asked, is not running"
            } else {
                "avahi-daemon, which publishes and finds services, is not running"
            }
        case .daemonLost: "avahi-daemon or the system bus stopped; both are tried again"
        case .silent: "avahi-daemon takes requests but does not answer"
        case .noInterface(let name): "there is no network interface called \(name)"
        case .refused(let error): error.words
        case .noRoom: "no thread or file descriptor is left for talking to avahi-daemon"
        case .labelTaken(let chosen): "avahi-daemon published it as \"\(chosen)\" instead"
        }
    }

    /// A command to try, as it can be typed.
    package var remedy: String {
        switch self {
        case .noDaemon(let facts):
            if !facts.isInstalled {
                "sudo apt install avahi-daemon"
            } else if !facts.hasBus {
                "sudo systemctl start dbus avahi-daemon"
            } else {
                "sudo systemctl start avahi-daemon"
            }
        case .daemonLost: "systemctl status avahi-daemon"
        case .silent: "sudo systemctl restart avahi-daemon"
        case .noInterface: "ip -brief link"
        case .refused: "journalctl -u avahi-daemon -n 20"
        case .noRoom: "ulimit -n -u"
        case .labelTaken: "avahi-browse -rt _seatswap._tcp"
        }
    }

    /// True if `other` is the same mishap for people: a daemon that went away is then absent.
    func isSame(as other: DiscoveryTrouble) -> Bool {
        switch (self, other) {
        case (.noDaemon, .noDaemon), (.daemonLost, .noDaemon), (.silent, .noDaemon),
            (.noDaemon, .daemonLost), (.silent, .daemonLost), (.daemonLost, .silent):
            true
        case (.noDaemon, _), (.daemonLost, _), (.silent, _), (.noInterface, _), (.refused, _),
            (.noRoom, _), (.labelTaken, _):
            self == other
        }
    }
}

/// What is known about a daemon that could not be reached.
package struct DaemonFacts: Equatable, Sendable {
    /// The socket of the system bus exists.
    package let hasBus: Bool
    /// The program `avahi-daemon` is there.
    package let isInstalled: Bool

    /// Facts as seen by the caller.
    package init(hasBus: Bool, isInstalled: Bool) {
        self.hasBus = hasBus
        self.isInstalled = isInstalled
    }
}
