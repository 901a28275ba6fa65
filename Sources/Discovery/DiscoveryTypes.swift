// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// What an agent wants from discovery.
package struct DiscoveryOptions: Equatable, Sendable {
    /// The TCP port to publish.
    package var port: UInt16
    /// The only interface to use, by name; nil for all.
    package var interface: String?
    /// Look for others from the start.
    package var browse: Bool
    /// Look as the doctor does: tell when we see ourselves, and follow other probes too.
    package var isProbe: Bool
    /// The venue to announce; `nil` to publish an agent.
    package private(set) var venue: VenueLink?

    /// Options; without more than the port: all interfaces, browsing, an agent.
    package init(
        port: UInt16, interface: String? = nil, browse: Bool = true, isProbe: Bool = false
    ) {
        self.port = port
        self.interface = interface
        self.browse = browse
        self.isProbe = isProbe
    }

    /// Announces a venue whose operator's agent listens on `port`, and looks for nobody.
    package init(venue: VenueLink, port: UInt16, interface: String?) {
        self.init(port: port, interface: interface, browse: false)
        self.venue = venue
    }

    /// The request that publishes `label`.
    func request(_ label: ServiceLabel) -> ReferenceRequest {
        guard let venue else {
            return .register(label: label.text, port: port, interface: interface)
        }
        return .announce(
            label: label.text, port: port, interface: interface, text: VenueRecord.text(venue))
    }
}

/// The machine's name for one reference of the dns_sd library; never used twice.
struct ReferenceID: Hashable, Sendable {
    let number: UInt64
}

/// Hands out the names.
struct ReferenceIDs: Equatable {
    private var last: UInt64 = 0

    mutating func next() -> ReferenceID {
        last &+= 1
        return ReferenceID(number: last)
    }
}

/// What a reference is asked to do. An interface is a name of ours (nil: all) where people chose
/// it, and an index where the daemon told it.
enum ReferenceRequest: Equatable, Sendable {
    case register(label: String, port: UInt16, interface: String?)
    /// Publishes a venue, with a TXT record.
    case announce(label: String, port: UInt16, interface: String?, text: [UInt8])
    case browse(interface: String?)
    /// Looks for venues.
    case browseVenues(interface: String?)
    case resolve(label: String, interface: UInt32)
    /// Asks for the TXT record of a venue.
    case resolveVenue(label: String, interface: UInt32)
    case addresses(host: String, family: AddressFamily, interface: UInt32)
}

enum AddressFamily: Equatable, Sendable {
    case ipv4
    case ipv6
}

/// What a reference has to say.
enum ReferenceReport: Equatable, Sendable {
    case registered(name: String)
    case appeared(label: String, interface: UInt32)
    case disappeared(label: String, interface: UInt32)
    case resolved(host: String, port: UInt16, interface: UInt32)
    /// The daemon took the question after venues.
    case opened
    /// The TXT record of a venue, empty if it is longer than any.
    case text([UInt8])
    case address(bytes: [UInt8], interface: UInt32)
    case noAddress(bytes: [UInt8], interface: UInt32)
    /// The last word: the reference works no more.
    case failed(ReferenceFailure)
}

enum ReferenceFailure: Equatable, Sendable {
    /// It could not be made, because the daemon or the bus is not there.
    case absent(DaemonFacts)
    /// It was there and broke.
    case broken
    case noInterface(String)
    case refused(DNSServiceError)
    case noRoom

    /// The same for people.
    var trouble: DiscoveryTrouble {
        switch self {
        case .absent(let facts): .noDaemon(facts)
        case .broken: .daemonLost
        case .noInterface(let name): .noInterface(name)
        case .refused(let error): .refused(error)
        case .noRoom: .noRoom
        }
    }
}

enum DiscoveryEvent: Equatable, Sendable {
    case start
    case networkChanged(ServiceLabel)
    case browsing(Bool)
    case report(ReferenceID, ReferenceReport)
    case tick
    case stop
}

/// What the machine wants done, in this order.
struct DiscoveryEffects: Equatable {
    var stops: [ReferenceID] = []
    var starts: [ReferenceStart] = []
    var notices: [DiscoveryNotice] = []
}

struct ReferenceStart: Equatable, Sendable {
    let id: ReferenceID
    let request: ReferenceRequest
}
