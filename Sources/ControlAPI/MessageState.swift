// SPDX-License-Identifier: Apache-2.0
package import Protocol

extension DirectMessage.State {
    /// How far a direct message has come, as the socket's objects have it.
    package var word: String {
        switch self {
        case .waiting: "waiting"
        case .acknowledged: "acknowledged"
        case .gaveUp: "gave-up"
        case .received: "received"
        }
    }
}
