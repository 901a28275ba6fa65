// SPDX-License-Identifier: Apache-2.0
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

    /// Options; without more than the port: all interfaces, browsing, an agent.
    package init(
        port: UInt16, interface: String? = nil, browse: Bool = true, isProbe: Bool = false
    ) {
        self.port = port
        self.interface = interface
        self.browse = browse
        self.isProbe = isProbe
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
    case browse(interface: String?)
    case resolve(label: String, interface: UInt32)
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
