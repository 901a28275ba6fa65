// SPDX-License-Identifier: Apache-2.0
/// An error code of the dns_sd library (dns_sd.h).
package struct DNSServiceError: Error, Equatable, Sendable {
    /// The number from dns_sd.h; 0 means no error.
    package let code: Int32

    /// The error with that number.
    package init(code: Int32) {
        self.code = code
    }

    /// Avahi's library uses this where it has no better number, above all if the daemon
    /// or the bus is not there.
    package static let unknown = DNSServiceError(code: -65537)

    /// What happened, for people.
    package var words: String {
        switch code {
        case -65537: "avahi-daemon did not answer"
        case -65538: "the name is not known"
        case -65539: "there is no memory left"
        case -65540, -65549: "avahi-daemon did not accept the request"
        case -65541, -65542, -65545: "the request came at the wrong moment"
        case -65543, -65544: "avahi-daemon does not know how to do this"
        case -65547, -65548: "the name is taken"
        case -65550: "a firewall is in the way"
        case -65551: "the library and avahi-daemon are of different versions"
        case -65552: "avahi-daemon does not work on this interface"
        case -65553: "avahi-daemon refuses more work"
        default: "avahi-daemon answered with error \(code)"
        }
    }
}
