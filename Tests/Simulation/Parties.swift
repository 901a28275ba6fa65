// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit

/// Parties in a cabin: two codes that many know, so that everybody overhears everything.
extension SimWorld {
    /// What somebody in a party, or in none, thinks of.
    func partyDeed(_ host: SimHost, _ number: Int) -> Intent {
        let codes = (0..<2).compactMap { code in
            PartySecret(Array(repeating: UInt8(code), count: PartySecret.count))
        }
        guard let party = host.node.party(at: moment(host)) else {
            let code = codes[number % codes.count]
            return .party(number % 3 == 0 ? .join(code, fromHome: true) : .join(code))
        }
        let known = party.state.members
        switch number % 16 {
        case 0: return .party(.leave)
        case 1..<3: return .party(.invite)
        case 3 where !known.isEmpty:
            let next = Array(repeating: UInt8(number % 251), count: PartySecret.count)
            let member = known[number % known.count].key
            return PartySecret(next).map { .party(.remove(member, next: $0)) } ?? .party(.invite)
        case 4..<8 where !known.isEmpty:
            let member = known[number % known.count].key
            return number % 5 == 0 ? .party(.no(member)) : agree(host, member)
        default: return .party(.say("\(host.person) says \(number)"))
        }
    }

    private func agree(_ host: SimHost, _ key: PeerKey) -> Intent {
        guard isFriend(key, of: host) else { return .party(.no(key)) }
        host.companions.insert(key)
        return .party(.yes(key))
    }

    /// Where parties were made at home, people know who belongs to theirs.
    private func isFriend(_ key: PeerKey, of host: SimHost) -> Bool {
        guard let plans, isClean(host), let person = person(key) else { return true }
        return plans.parties.contains { $0.contains(person) && $0.contains(host.person) }
    }

    /// Somebody is asked, or reads a line: only of those whom they called companions, and in the
    /// words that these said.
    func heed(_ host: SimHost, _ notice: PartyNotice) {
        switch notice {
        case .candidate(let key):
            if let person = person(key), !people[person].hasCode {
                fail("party", "host \(host.number): \(person) never had the code")
            }
            if human.next() % 4 != 0 {
                let (index, process) = (host.number, host.process)
                agenda.note(
                    .then { world in
                        let host = world.hosts[index]
                        guard host.isUp, host.process == process else { return }
                        world.intend(host, world.agree(host, key))
                    }, at: now + Self.second)
            }
        case .line(let line):
            totals.partyLines += 1
            let isKnown = line.author == host.key || host.companions.contains(line.author)
            guard isKnown else { return fail("party", "host \(host.number) reads a stranger") }
            guard let author = person(line.author), people[author].isHonest else { return }
            guard line.line.text.hasPrefix("\(author) says ") else {
                return fail("party", "host \(host.number): words of somebody else")
            }
        case .changed, .removed: break
        }
    }
}
