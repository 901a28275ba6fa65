// SPDX-License-Identifier: Apache-2.0
import Protocol
import Text
import Trips

/// Troubles as events.
extension EventScribe {
    /// What is wrong with more than one message.
    func trouble(_ trouble: Trouble) -> Item {
        func say(_ code: String, _ what: String, _ key: PeerKey? = nil) -> Item {
            let who = key.map { ["who": book.json($0)] } ?? [:]
            return event(
                .trouble,
                who.merging(
                    ["code": .string(code), "what": .string(what)]) { _, new in new })
        }
        return switch trouble {
        case .keyRunsTwice:
            say("key-runs-twice", "your key runs in another process: nothing is written any more")
        case .runsTwice(let key):
            say(
                "peer-runs-twice", "the key of \(book.described(key)) runs in two processes", key)
        case .ownFork(let proof):
            misdeed(
                "own-fork", MisdeedJSON(node.fold).json(proof), nil,
                "your log has two ends: nothing is written any more")
        case .fork(let proof):
            misdeed("fork", MisdeedJSON(node.fold).json(proof), proof.author)
        case .misdeed(let misdeed):
            self.misdeed("misdeed", MisdeedJSON(node.fold).json(misdeed), misdeed.author)
        case .violation(let violation):
            say(
                "violation",
                "the map here breaks rule \(violation.rule.rawValue): an error of this program")
        case .divergence(let key):
            say(
                "divergence", "the agent of \(book.described(key)) makes another map of equal logs",
                key)
        case .otherVersion(let key):
            say("other-version", "\(book.described(key)) runs an agent with other rules", key)
        case .otherFlight(let address):
            say(
                "other-flight",
                "an agent at \(address.text) is on another flight, or has another cabin code")
        case .aliasOnly(let key, let name):
            aliasOnly(key, name)
        }
    }

    /// Nothing is known of that passenger but the key: records are apart.
    private func aliasOnly(_ key: PeerKey, _ name: FlightName?) -> Item {
        let words =
            name.map {
                "others call this flight \(Trip.number(of: $0)): \(book.described(key)) is there. "
                    + "To trade with them: seatagent down, then seatagent up \($0.text)"
            } ?? "\(book.described(key)) is on this flight by another number, and not among you"
        var members: [String: JSON] = [
            "code": "alias-only", "what": .string(words), "who": book.json(key),
        ]
        if let name { members["flight"] = .string(name.text) }
        return event(.trouble, members)
    }

    /// A passenger convicted by two entries of theirs: both are in the event, as objects and in
    /// words.
    private func misdeed(
        _ code: String, _ misdeed: JSON, _ key: PeerKey?, _ what: String? = nil
    ) -> Item {
        let says = (misdeed["entries"]?.list ?? []).map { entry in
            "record \(entry["seq"]?.number ?? 0) \(entry["says"]?.text ?? "")"
        }
        let head =
            what
            ?? "\(key.map(book.described) ?? "") \(misdeed["what"]?.text ?? ""): do not trade"
        let who = key.map { ["who": book.json($0)] } ?? [:]
        return event(
            .trouble,
            who.merging([
                "code": .string(code), "misdeed": misdeed,
                "what": .string(head + " (" + says.joined(separator: "; ") + ")"),
            ]) { _, new in new })
    }
}
