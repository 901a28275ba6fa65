// SPDX-License-Identifier: Apache-2.0
/// Which requests a server looks at: those that a browser sends to its own address, for its own
/// page (docs/page.md section 4).
///
/// Another site that a browser shows could send requests here too, under a name that leads to this
/// address: browsers say of themselves which name they used and whose page asks.
package struct PageGate: Hashable, Sendable {
    /// What may stand in `Host`: `10.42.0.1:7790`.
    package private(set) var hosts: [String]
    /// What stands before it in the address of the page: `http` or `https`.
    package let scheme: PageScheme

    /// A gate for a page at these addresses with their ports.
    package init(hosts: [String], scheme: PageScheme = .http) {
        // Browsers leave out the port that a scheme has anyway.
        let end = ":\(scheme.port)"
        let bare = hosts.filter { $0.hasSuffix(end) }.map { String($0.dropLast(end.count)) }
        self.hosts = hosts + bare
        self.scheme = scheme
    }

    /// Why a request is refused; `nil` if it may pass. `origin` is missing where no page asks.
    package func refusal(host: String?, origin: String?) -> String? {
        guard let host, hosts.contains(host.lowercased()) else {
            return "this is not the address of the page"
        }
        guard let origin else { return nil }
        return origin.lowercased() == scheme.before(host.lowercased())
            ? nil : "another page asks"
    }
}

/// How a page is served.
package enum PageScheme: String, Sendable {
    case http, https

    /// The port of addresses that name none.
    package var port: Int { self == .http ? 80 : 443 }

    /// The address of a host, with its port if it has one.
    package func before(_ host: String) -> String { "\(rawValue)://\(host)" }
}
