// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc
import System
import Transport

/// Listens for multicast from other machines, beside avahi-daemon and without answering anybody:
/// for everything sent to the mDNS group, and for answers to one question that every responder can
/// answer.
struct MulticastEar {
    private static let group = Address(host: .v4(0xe000_00fb), port: 5353)

    /// To be polled for reading.
    let descriptors: [Int32]
    /// What was heard until now.
    private(set) var facts: HeardFacts
    private let own: Set<Address.Host>

    /// Joins the group on interfaces that have IPv4; `own` are all addresses of this machine.
    init(_ interfaces: [NetworkFooting], own: Set<Address.Host>) {
        self.own = own
        // Bound to the group, so that packets sent to this machine alone still reach the daemon.
        let listening = Self.open(bound: Self.group)
        let asking = Self.open(bound: Address(host: .any4, port: 0))
        descriptors = [listening, asking].filter { $0 >= 0 }
        var hasJoined = false
        for interface in interfaces {
            var request = ip_mreqn()
            request.imr_multiaddr.s_addr = UInt32(0xe000_00fb).bigEndian
            request.imr_ifindex = Int32(interface.index)
            let size = socklen_t(MemoryLayout<ip_mreqn>.size)
            let code = setsockopt(
                listening, Int32(IPPROTO_IP), IP_ADD_MEMBERSHIP, &request, size)
            hasJoined = hasJoined || code == 0
            _ = setsockopt(asking, Int32(IPPROTO_IP), IP_MULTICAST_IF, &request, size)
            Self.ask(asking)
        }
        facts = HeardFacts(couldListen: hasJoined)
    }

    /// One of `descriptors` is readable.
    mutating func readable(_ descriptor: Int32) {
        // Limited, so that a storm of packets cannot hold up the doctor.
        for _ in 0..<256 {
            var byte: UInt8 = 0
            let (count, sender) = Address.filled { address, length in
                Int32(clamping: recvfrom(descriptor, &byte, 1, 0, address, length))
            }
            guard count >= 0 else { return }
            guard let host = sender?.host else { continue }
            if own.contains(host) {
                facts.own = true
            } else if !facts.others.contains(host.description), facts.others.count < 64 {
                facts.others = (facts.others + [host.description]).sorted()
            }
        }
    }

    /// Gives the sockets back.
    func close() {
        for descriptor in descriptors { Glibc.close(descriptor) }
    }

    private static func open(bound address: Address) -> Int32 {
        let kind =
            Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
            | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_INET, kind, 0)
        guard descriptor >= 0 else { return -1 }
        var yes: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size)
        guard address.withSocketAddress({ bind(descriptor, $0, $1) }) == 0 else {
            Glibc.close(descriptor)
            return -1
        }
        return descriptor
    }

    /// "Which services are there?" from our own port, to which the answers come (RFC 6762, 6.7; RFC
    /// 6763, 9).
    private static func ask(_ descriptor: Int32) {
        var question: [UInt8] = [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]
        for label in ["_services", "_dns-sd", "_udp", "local"] {
            question += [UInt8(label.utf8.count)] + Array(label.utf8)
        }
        question += [0, 0, 12, 0, 1]
        _ = group.withSocketAddress { address, length in
            sendto(descriptor, question, question.count, Int32(MSG_NOSIGNAL), address, length)
        }
    }
}

/// A network interface: its name and index.
struct NetworkFooting: Hashable, Sendable {
    let name: String
    let index: UInt32
}
