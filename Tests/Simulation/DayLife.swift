// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit
import Rendezvous

/// A whole day, from home to arrival: what it has beside plans and a meeting point. Most days have
/// hostile keys, some with a program of their own and some with nothing but a signature.
package struct DayLife {
    /// Whether it has hostile keys.
    let isBesieged: Bool
    /// Keys without a program, whose logs somebody says for them.
    var keys: [FakeSigner] = []
    /// What hostile deeds signed, to say it again.
    var said: [[Entry]] = []

    /// Whether a seed's day is in a venue with a desk: one in four. Nobody goes to a venue by
    /// way of a meeting point.
    package static func isInVenue(_ seed: UInt64) -> Bool { seed % 4 == 3 }

    /// The one of a seed.
    init(_ random: inout SeededRandom) { isBesieged = random.below(4) > 0 }
}

/// What hostile keys do at home and aboard, where each costs nothing: rows A1 to A4 of
/// docs/assurance.md, "What strangers tried".
extension SimWorld {
    /// They do something now and then, as long as faults last.
    func beginSiege() {
        guard day?.isBesieged == true else { return }
        scheduleSiege()
    }

    private func scheduleSiege() {
        let pause = siege.below(profile.seconds * 1000 / 6)
        agenda.note(
            .then { world in
                guard !world.isHealed, world.failure == nil else { return }
                world.besiege()
                world.scheduleSiege()
            }, at: now + Int64(pause + 200) * Self.millisecond)
    }

    private func besiege() {
        totals.sieges += 1
        switch siege.below(6) {
        case 0: claimEverything()
        case 1, 2: askEverybody()
        case 3: voteForOthers()
        case 4: sayTwoThings()
        default: sayAgain()
        }
    }

    /// The next of the keys that nobody runs.
    private func throwaway() -> (number: Int, signer: FakeSigner) {
        let number = day?.keys.count ?? 0
        let isStolen = options.sabotage == .stealsKey
        let signer = isStolen ? hosts[0].signer : FakeSigner(5000 + number, seed: seed)
        day?.keys.append(signer)
        return (number, signer)
    }

    /// A new key claims every seat of the cabin.
    private func claimEverything() {
        let (number, signer) = throwaway()
        let seats = plans?.cabin.places.map(\.seat) ?? []
        note { "key \(number) claims \(seats.count) seats" }
        say(sign(seats.prefix(60).map { .claim(seat: $0, dependant: false) }, by: signer))
    }

    /// Every cheat asks everybody for their seats, again and again.
    private func askEverybody() {
        for host in hosts where host.isUp && people[host.person].isCheat { pester(host) }
    }

    /// A new key says yes and no to swaps of others, and that others sit where they do not.
    private func voteForOthers() {
        let known = hosts.filter(\.isUp).flatMap { $0.node.swaps.records.map(\.contract) }
        guard let contract = known.randomElement(using: &siege) else { return }
        let (number, signer) = throwaway()
        let slots = contract.legs.prefix(1).map(\.slot)
        note { "key \(number) votes on \(contract.id.hex.prefix(6))" }
        say(sign([.vote(.yes(contract.id, slots: slots))], by: signer))
        say(sign([.vote(.no(contract.id))], by: throwaway().signer))
    }

    /// A new key shows one log to some and another to others.
    private func sayTwoThings() {
        let (number, signer) = throwaway()
        note { "key \(number) forks" }
        for row in 1...2 {
            guard let seat = Seat(row: row, column: 0) else { continue }
            say(sign([.claim(seat: seat, dependant: false)], by: signer))
        }
    }

    /// What was said before, to whoever is there now.
    private func sayAgain() {
        guard let old = day?.said.randomElement(using: &siege) else { return }
        say(old)
    }

    private func sign(_ bodies: [EntryBody], by signer: FakeSigner) -> [Entry] {
        var entries: [Entry] = []
        for body in [.genesis(name: "h", agent: "sim")] + bodies {
            let entry = try? codec.sign(
                body, flight: flightKey.id, seq: entries.count + 1, previous: entries.last?.id,
                by: signer)
            guard let entry else { break }
            entries.append(entry)
        }
        return entries
    }

    /// Through a broker to all who are at home, and by a cheat's links to those aboard.
    private func say(_ entries: [Entry]) {
        guard let meets, !entries.isEmpty else { return }
        day?.said.append(entries)
        totals.hostile += entries.count
        shout(entries.map(\.bytes), meets)
        let batch = EntryBatch(kind: .push, entries: entries.map(\.bytes))
        for host in hosts where host.isUp && people[host.person].isCheat {
            tell(host, Message.entries(batch).encode(), percent: 60)
        }
    }
}

/// What of a day is counted, and that a party finds itself.
extension SimWorld {
    /// A swap was made: at home, or aboard.
    func countOfDay(_ host: SimHost) {
        let isAboard = meets?.aboard.contains(host.number) == true
        totals.aboard += isAboard ? 1 : 0
        totals.atHome += isAboard ? 0 : 1
    }

    /// Somebody boards: do they know by now who has the code of their party?
    func countFriends(_ host: SimHost) {
        guard day != nil, let plans, host.isUp, isClean(host) else { return }
        for party in plans.parties where party.contains(host.person) {
            for friend in party where friend != host.person {
                totals.parted += 1
                totals.found += knows(host, people[friend].key) ? 1 : 0
            }
        }
    }

    private func knows(_ host: SimHost, _ key: PeerKey) -> Bool {
        let members = host.node.party(at: moment(host))?.state.members ?? []
        return members.contains { $0.key == key }
    }

    /// Two who go by the same code, and do not know of each other in the end. A code that was not
    /// handed over at home works for a while only.
    func partedParty() -> String? {
        guard day != nil else { return nil }
        // Whoever left writes nothing any more, a tag neither.
        let writers = faithful.filter { $0.node.canAppend && !people[$0.person].hasLeft }
        let parties = writers.compactMap { host in
            host.node.party(at: moment(host)).map { (host, $0.state) }
        }
        for (host, mine) in parties where mine.isFromHome {
            for (other, theirs) in parties where host.person != other.person {
                guard mine.secrets.first == theirs.secrets.first, !knows(host, other.key),
                    !spendthrifts.contains(other.key)
                else { continue }
                return "host \(host.number) did not find \(other.number) of their party"
            }
        }
        return nil
    }
}
