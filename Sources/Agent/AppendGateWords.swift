// SPDX-License-Identifier: Apache-2.0
import Protocol

extension AppendGate {
    /// Why the log cannot be written to, for people; `nil` while it can, or while that is unknown.
    var words: String? {
        switch state {
        case .open, .catchingUp: nil
        case .restored:
            "this flight's file was put back from a copy or came from elsewhere: another "
                + "passenger's agent has to tell first what you signed before"
        case .behind(let signed, _):
            "you signed record \(signed) of your log, and neither this flight's file nor anybody "
                + "in reach has all that comes before it: it opens when somebody comes who has; "
                + "else forget this flight and join it again, with a new key"
        case .shut(.keyRunsTwice): "this profile's key runs in a second process"
        case .shut(.forked): "two entries of this log stand at one place"
        }
    }
}
