// SPDX-License-Identifier: Apache-2.0
import CDNSSD
import Glibc

/// Owner of one reference of the dns_sd library. Avahi's library gives each of them a thread, a
/// connection to the system bus and a socket pair, all given back with the handle.
///
/// Making, processing and giving back all wait for answers of the bus and the daemon: up to 25 s
/// each when one of them hangs (measured with a stopped daemon). Only `DiscoveryWorker` does that.
struct DNSServiceHandle: ~Copyable {
    private let reference: DNSServiceRef
    private let box: ReportBox

    /// Flags are always 0: Avahi's library refuses all others (docs/protocol.md section 3).
    private static let noFlags: DNSServiceFlags = 0
    private static let serviceType = "_seatswap._tcp"
    private static let venueType = "_seatvenue._tcp"
    private static let domain = "local."

    /// Asks the daemon for what `request` says.
    init(_ request: ReferenceRequest) throws(ReferenceError) {
        DNSServiceLibrary.beginWithZeros()
        let box = ReportBox()
        let context = Unmanaged.passUnretained(box).toOpaque()
        var reference: DNSServiceRef?
        let code: DNSServiceErrorType
        switch request {
        case .register(let label, let port, let interface):
            // An empty TXT record is one zero byte (RFC 6763, 6.1).
            let emptyText: [UInt8] = [0]
            code = DNSServiceRegister(
                &reference, Self.noFlags, try Self.index(of: interface), label,
                Self.serviceType, Self.domain, nil, port.bigEndian, UInt16(emptyText.count),
                emptyText, registerReplied, context)
        case .announce(let label, let port, let interface, let text):
            code = DNSServiceRegister(
                &reference, Self.noFlags, try Self.index(of: interface), label,
                Self.venueType, Self.domain, nil, port.bigEndian, UInt16(text.count), text,
                registerReplied, context)
        case .browse(let interface):
            code = DNSServiceBrowse(
                &reference, Self.noFlags, try Self.index(of: interface), Self.serviceType,
                Self.domain, browseReplied, context)
        case .browseVenues(let interface):
            code = DNSServiceBrowse(
                &reference, Self.noFlags, try Self.index(of: interface), Self.venueType,
                Self.domain, browseReplied, context)
        case .resolveVenue(let label, let interface):
            code = DNSServiceResolve(
                &reference, Self.noFlags, interface, label, Self.venueType, Self.domain,
                venueReplied, context)
        case .resolve(let label, let interface):
            code = DNSServiceResolve(
                &reference, Self.noFlags, interface, label, Self.serviceType, Self.domain,
                resolveReplied, context)
        case .addresses(let host, let family, let interface):
            let type = family == .ipv4 ? kDNSServiceType_A : kDNSServiceType_AAAA
            code = DNSServiceQueryRecord(
                &reference, Self.noFlags, interface, host, UInt16(type),
                UInt16(kDNSServiceClass_IN), addressReplied, context)
        }
        guard code == 0, let reference else {
            let error = DNSServiceError(code: code)
            throw ReferenceError(failure: error == .unknown ? .absent(.seen()) : .refused(error))
        }
        self.reference = reference
        self.box = box
    }

    deinit {
        // The library holds no reference of its own to what it reports into.
        withExtendedLifetime(box) { DNSServiceRefDeallocate(reference) }
    }

    /// Readable when `process` has something to do. Never call `process` otherwise: it would wait.
    var descriptor: Int32 { DNSServiceRefSockFD(reference) }

    /// Lets the library work, and returns what it had to say.
    func process() -> [ReferenceReport] {
        let code = DNSServiceProcessResult(reference)
        let reports = box.takeAll()
        return code == 0 ? reports : reports + [.failed(.broken)]
    }

    private static func index(of interface: String?) throws(ReferenceError) -> UInt32 {
        guard let interface else { return UInt32(kDNSServiceInterfaceIndexAny) }
        let index = if_nametoindex(interface)
        guard index != 0 else { throw ReferenceError(failure: .noInterface(interface)) }
        return index
    }
}

/// Why no reference could be made.
struct ReferenceError: Error {
    let failure: ReferenceFailure
}

extension DaemonFacts {
    /// What can be seen from here of the bus and the daemon.
    static func seen() -> DaemonFacts {
        let programs = ["/usr/sbin/avahi-daemon", "/usr/bin/avahi-daemon"]
        return DaemonFacts(
            hasBus: busSockets().contains { access($0, F_OK) == 0 },
            isInstalled: programs.contains { access($0, X_OK) == 0 })
    }

    private static func busSockets() -> [String] {
        let standard = ["/run/dbus/system_bus_socket", "/var/run/dbus/system_bus_socket"]
        guard let value = getenv("DBUS_SYSTEM_BUS_ADDRESS") else { return standard }
        let prefix = "unix:path="
        return String(cString: value).split(separator: ";").compactMap { address in
            guard address.hasPrefix(prefix) else { return nil }
            return address.dropFirst(prefix.count).split(separator: ",").first.map(String.init)
        }
    }
}
