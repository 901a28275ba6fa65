// SPDX-License-Identifier: Apache-2.0
package import Profile
package import Rendezvous

extension MeetAddress {
    /// The broker that the address itself names.
    package var broker: MeetBroker? { MeetBroker(host: host, port: port) }
}
