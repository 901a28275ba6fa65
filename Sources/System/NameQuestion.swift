// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc

/// What the machine's resolver says of a name. It waits: ask beside the loop (``SideWork``).
package enum NameQuestion {
    /// What came of a question.
    package enum Answer<Value: Hashable & Sendable>: Hashable, Sendable {
        /// This.
        case found(Value)
        /// There is no such name, or it has nothing of what was asked for.
        case none
        /// Nobody could say: there is no network, or no server that answers.
        case nobodySaid
    }

    /// Addresses of one host that are tried.
    package static let most = 8

    /// Where a host is, in the order in which to try; port 0.
    package static func addresses(of host: String) -> Answer<[Address]> {
        var wanted = addrinfo()
        wanted.ai_socktype = Int32(SOCK_STREAM.rawValue)
        wanted.ai_flags = AI_ADDRCONFIG
        var first: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, nil, &wanted, &first)
        guard code == 0 else { return code == EAI_NONAME ? .none : .nobodySaid }
        defer { freeaddrinfo(first) }
        var found: [Address] = []
        var next = first
        while let entry = next?.pointee, found.count < most {
            next = entry.ai_next
            let given = Address.filled { storage, length in
                guard let raw = entry.ai_addr, entry.ai_addrlen <= length.pointee else { return -1 }
                memcpy(storage, raw, Int(entry.ai_addrlen))
                return 0
            }
            if let address = given.address, !found.contains(address) { found.append(address) }
        }
        return found.isEmpty ? .none : .found(found)
    }

    /// The whole answer of the DNS for SRV records of a name (RFC 2782), as it came.
    package static func services(of name: String) -> Answer<[UInt8]> {
        var answer = [UInt8](repeating: 0, count: 16 * 1024)
        let length = linux_service_records(name, &answer, Int32(answer.count))
        guard length != 0 else { return .none }
        return length < 0 ? .nobodySaid : .found(Array(answer.prefix(Int(length))))
    }
}
