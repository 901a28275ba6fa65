// SPDX-License-Identifier: Apache-2.0
import CDNSSD
import Glibc

/// Takes what the C callbacks say, until the worker reads it. Callbacks run inside
/// `DNSServiceProcessResult` or the call that made the reference, so always on the worker's thread.
final class ReportBox {
    private(set) var reports: [ReferenceReport] = []

    func append(_ report: ReferenceReport) {
        reports.append(report)
    }

    func takeAll() -> [ReferenceReport] {
        defer { reports.removeAll(keepingCapacity: true) }
        return reports
    }

    /// The box behind the context pointer of a callback.
    static func behind(_ context: UnsafeMutableRawPointer?) -> ReportBox? {
        // Unretained: the handle owns the box and outlives its reference's last callback.
        context.map { Unmanaged<ReportBox>.fromOpaque($0).takeUnretainedValue() }
    }
}

// The functions below are handed to C. They do nothing but post a report.

func registerReplied(
    _: DNSServiceRef?, _: DNSServiceFlags, _ error: DNSServiceErrorType,
    _ name: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?,
    _ context: UnsafeMutableRawPointer?
) {
    guard let box = ReportBox.behind(context) else { return }
    if error == 0, let name {
        box.append(.registered(name: String(cString: name)))
    } else {
        box.append(.failed(failure(error)))
    }
}

func browseReplied(
    _: DNSServiceRef?, _ flags: DNSServiceFlags, _ interface: UInt32,
    _ error: DNSServiceErrorType, _ name: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?,
    _: UnsafePointer<CChar>?, _ context: UnsafeMutableRawPointer?
) {
    guard let box = ReportBox.behind(context) else { return }
    guard error == 0, let name else { return box.append(.failed(failure(error))) }
    let label = String(cString: name)
    box.append(
        isAddition(flags)
            ? .appeared(label: label, interface: interface)
            : .disappeared(label: label, interface: interface))
}

func resolveReplied(
    _: DNSServiceRef?, _: DNSServiceFlags, _ interface: UInt32, _ error: DNSServiceErrorType,
    _: UnsafePointer<CChar>?, _ host: UnsafePointer<CChar>?, _ port: UInt16, _: UInt16,
    _: UnsafePointer<UInt8>?, _ context: UnsafeMutableRawPointer?
) {
    guard let box = ReportBox.behind(context) else { return }
    guard error == 0, let host else { return box.append(.failed(failure(error))) }
    box.append(
        .resolved(
            host: String(cString: host), port: UInt16(bigEndian: port), interface: interface))
}

func venueReplied(
    _: DNSServiceRef?, _: DNSServiceFlags, _ interface: UInt32, _ error: DNSServiceErrorType,
    _: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?, _: UInt16, _ length: UInt16,
    _ text: UnsafePointer<UInt8>?, _ context: UnsafeMutableRawPointer?
) {
    guard let box = ReportBox.behind(context) else { return }
    guard error == 0 else { return box.append(.failed(failure(error))) }
    // What is longer than any record is not copied.
    let isLong = Int(length) > DiscoveryLimits.venueText
    let bytes = UnsafeBufferPointer(start: text, count: isLong || text == nil ? 0 : Int(length))
    box.append(.text(Array(bytes)))
}

func addressReplied(
    _: DNSServiceRef?, _ flags: DNSServiceFlags, _ interface: UInt32,
    _ error: DNSServiceErrorType, _: UnsafePointer<CChar>?, _: UInt16, _: UInt16,
    _ length: UInt16, _ data: UnsafeRawPointer?, _: UInt32, _ context: UnsafeMutableRawPointer?
) {
    guard let box = ReportBox.behind(context) else { return }
    guard error == 0, let data else { return box.append(.failed(failure(error))) }
    let bytes = [UInt8](UnsafeRawBufferPointer(start: data, count: Int(length)))
    box.append(
        isAddition(flags)
            ? .address(bytes: bytes, interface: interface)
            : .noAddress(bytes: bytes, interface: interface))
}

private func isAddition(_ flags: DNSServiceFlags) -> Bool {
    flags & DNSServiceFlags(kDNSServiceFlagsAdd) != 0
}

/// In a callback the unknown error means that the daemon or the bus went away.
private func failure(_ code: DNSServiceErrorType) -> ReferenceFailure {
    let error = DNSServiceError(code: code)
    return error == .unknown || code == 0 ? .broken : .refused(error)
}
