// SPDX-License-Identifier: Apache-2.0
@testable import Protocol

/// Short names for what is long or random, in the order in which it appears: `c1` is the first
/// contract. Files therefore do not change with keys, hashes or random numbers.
struct Names {
    /// What is named; the letter is the first of its names.
    enum Kind: String {
        case contract = "c"
        case thread = "t"
        case attempt = "a"
        case message = "m"
        case logs = "L"
        case map = "M"
    }

    /// Passengers, in the order of their hosts.
    private var people: [(key: PeerKey, name: String)] = []
    private var known: [(kind: Kind, bytes: [UInt8])] = []
    private var seats: [Token: Seat] = [:]

    mutating func add(_ name: String, _ key: PeerKey) { people.append((key, name)) }

    /// A passenger's name.
    func person(_ key: PeerKey) -> String {
        people.first { $0.key == key }?.name ?? "somebody"
    }

    /// The short name, and whether it is used for the first time.
    mutating func name(_ kind: Kind, _ bytes: [UInt8]) -> (name: String, isNew: Bool) {
        let alike = known.filter { $0.kind == kind }
        if let index = alike.firstIndex(where: { $0.bytes == bytes }) {
            return (kind.rawValue + String(index + 1), false)
        }
        known.append((kind, bytes))
        return (kind.rawValue + String(alike.count + 1), true)
    }

    /// Remembers which seat a claim is for.
    mutating func learn(_ entry: Entry) {
        if case .claim(let seat, _) = entry.body { seats[entry.id.token] = seat }
    }

    /// The seat of a token.
    func seat(_ token: Token) -> String { seats[token]?.text ?? "a seat" }
}
