// SPDX-License-Identifier: Apache-2.0
/// Where passengers' agents are said to listen and who is said to be linked with them, from PEX;
/// and where this agent reached them itself, which is all that it tells others.
///
/// It believes nothing: only a handshake proves who listens at an address
/// (docs/protocol.md section 23).
package struct AddressBook: Sendable {
    /// One passenger: where they are said to listen, and by whom. Peers nearly always say the same,
    /// so each address is kept once.
    private struct Person: Sendable {
        let key: PeerKey
        var addresses: [PeerAddress] = []
        /// Sorted by the key of the speaker.
        var said: [Saying] = []
    }

    /// What one peer said of a person.
    private struct Saying: Sendable {
        /// Place among the speakers.
        var from: UInt16
        /// Place among the addresses of the person.
        var address: UInt16
        var isLinked: Bool
        var heard: Instant
    }

    /// A peer who said something. Their slot is reused when nothing of it is left.
    private struct Speaker: Sendable {
        var key: PeerKey
        var sayings: Int
    }

    /// Where this agent dialled a passenger and a session opened.
    private struct Reached: Sendable {
        let key: PeerKey
        var address: PeerAddress
        var at: Instant
    }

    /// The longest ago first.
    private var reached: [Reached] = []
    /// Sorted by key.
    private var people: [Person] = []
    private var speakers: [Speaker] = []
    /// Of all people.
    private var sayings = 0

    /// An empty book.
    package init() {}

    /// What `peer` said. The linked ones among `hints` are all of their links.
    package mutating func took(
        _ hints: [PeerHint], from peer: PeerKey, me: PeerKey, at now: Instant
    ) {
        unlinked(peer)
        for hint in hints where hint.key != me && hint.key != peer { note(hint, of: peer, at: now) }
    }

    /// What changed since `peer` said who is linked with them. Whoever still is was said again, and
    /// a link that ended leaves the passenger where they were said to listen.
    package mutating func changed(
        _ hints: [PeerHint], from peer: PeerKey, me: PeerKey, at now: Instant
    ) {
        for hint in hints where hint.key != me && hint.key != peer {
            if hint.isLinked || hint.address.port != 0 {
                note(hint, of: peer, at: now)
            } else if let place = known(hint.key), let said = said(of: place, by: peer) {
                people[place].said[said].isLinked = false
            }
        }
        guard let from = speakers.firstIndex(where: { $0.key == peer && $0.sayings > 0 }) else {
            return
        }
        for place in people.indices {
            for said in people[place].said.indices
            where people[place].said[said].from == from && people[place].said[said].isLinked {
                people[place].said[said].heard = now
            }
        }
    }

    private mutating func note(_ hint: PeerHint, of peer: PeerKey, at now: Instant) {
        let known = known(hint.key)
        if let known, let said = said(of: known, by: peer) {
            people[known].said[said].heard = now
            people[known].said[said].isLinked = hint.isLinked
            return move(said, of: known, to: hint.address)
        }
        guard sayings < 2 * Limits.hintsInAll, let speaker = speaker(peer),
            speakers[speaker].sayings < Limits.hintsPerPeer
        else { return }
        let place = place(hint.key)
        if known == nil { people.insert(Person(key: hint.key), at: place) }
        speakers[speaker].sayings += 1
        sayings += 1
        add(
            Saying(
                from: UInt16(clamping: speaker), address: address(hint.address, of: place),
                isLinked: hint.isLinked, heard: now), to: place)
    }

    /// The link to `peer` ended: they cannot relay any more. Their addresses stay for a while.
    package mutating func unlinked(_ peer: PeerKey) {
        guard let from = speakers.firstIndex(where: { $0.key == peer && $0.sayings > 0 }) else {
            return
        }
        for place in people.indices {
            for index in people[place].said.indices
            where people[place].said[index].from == from {
                people[place].said[index].isLinked = false
            }
        }
    }

    /// Forgets what nobody said again.
    package mutating func expire(at now: Instant) {
        guard let due = nextDeadline, due <= now else { return }
        for place in people.indices {
            for said in people[place].said where said.heard + Limits.hintTime <= now {
                speakers[Int(said.from)].sayings -= 1
                sayings -= 1
            }
            people[place].said.removeAll { $0.heard + Limits.hintTime <= now }
            tidy(place)
        }
        people.removeAll { $0.said.isEmpty }
    }

    /// When the oldest line is forgotten.
    package var nextDeadline: Instant? {
        var first: Instant?
        for person in people {
            for said in person.said { first = min(first ?? said.heard, said.heard) }
        }
        return first.map { $0 + Limits.hintTime }
    }

    /// Keys heard of, sorted.
    package var keys: [PeerKey] { people.map(\.key) }

    /// At most two places where `key` is said to listen, the newest first.
    package func addresses(of key: PeerKey) -> [PeerAddress] {
        guard let person = person(key) else { return [] }
        var found: [PeerAddress] = []
        let said = person.said.filter { person.addresses[Int($0.address)].port != 0 }
        for saying in said.sorted(by: { $0.heard > $1.heard })
        where !found.contains(person.addresses[Int(saying.address)]) {
            found.append(person.addresses[Int(saying.address)])
            if found.count == 2 { break }
        }
        return found
    }

    /// Peers who say that they are linked with `key`, sorted.
    package func relays(to key: PeerKey) -> [PeerKey] {
        guard let person = person(key) else { return [] }
        return person.said.filter(\.isLinked).map { speakers[Int($0.from)].key }
    }

    /// A session with `peer`, whom this agent dialled at `address`, opened or ended now.
    package mutating func reached(_ peer: PeerKey, at address: PeerAddress, now: Instant) {
        reached.removeAll { $0.key == peer || $0.at + Limits.hintTime <= now }
        if reached.count >= Limits.hintsInAll { reached.removeFirst() }
        reached.append(Reached(key: peer, address: address, at: now))
    }

    /// Where this agent reached `peer` itself lately.
    package func reached(_ peer: PeerKey, at now: Instant) -> PeerAddress? {
        reached.last { $0.key == peer && $0.at + Limits.hintTime > now }?.address
    }

    /// Some of those whom this agent reached itself lately, for `peer`. What
    /// others told is not among them.
    package func sample(
        for peer: PeerKey, _ count: Int, random: inout SeededRandom, at now: Instant
    ) -> [PeerHint] {
        let fresh = reached.filter { $0.key != peer && $0.at + Limits.hintTime > now }
        return fresh.shuffled(using: &random).prefix(count).map {
            PeerHint(key: $0.key, address: $0.address, isLinked: false)
        }
    }

    // MARK: Places

    private func person(_ key: PeerKey) -> Person? { known(key).map { people[$0] } }

    /// Where `key` is among the people, if they are.
    private func known(_ key: PeerKey) -> Int? {
        let place = place(key)
        return place < people.count && people[place].key == key ? place : nil
    }

    /// Where `key` is among the people, or would be.
    private func place(_ key: PeerKey) -> Int { people.place(of: key, by: \.key) }

    /// Where that person's saying of `peer` is.
    private func said(of place: Int, by peer: PeerKey) -> Int? {
        people[place].said.firstIndex { speakers[Int($0.from)].key == peer }
    }

    /// The place of `peer` among the speakers, made if they have none; `nil` if no more fit.
    private mutating func speaker(_ peer: PeerKey) -> Int? {
        // A place without a saying may still bear their key: it is theirs, or anybody's.
        if let place = speakers.firstIndex(where: { $0.key == peer }) { return place }
        let new = Speaker(key: peer, sayings: 0)
        if let free = speakers.firstIndex(where: { $0.sayings == 0 }) {
            speakers[free] = new
            return free
        }
        // Every one of them has a saying, of which there are fewer than would be too many here.
        speakers.append(new)
        return speakers.count - 1
    }

    private mutating func add(_ saying: Saying, to place: Int) {
        let key = speakers[Int(saying.from)].key
        let index = people[place].said.firstIndex { key < speakers[Int($0.from)].key }
        let count = people[place].said.count
        // By an eighth, not to twice the room: there is an array for each passenger.
        if count == people[place].said.capacity {
            people[place].said.reserveCapacity(count + count / 8 + 2)
        }
        people[place].said.insert(saying, at: index ?? people[place].said.count)
    }

    /// The number of an address of a person, made where it has none.
    private mutating func address(_ address: PeerAddress, of place: Int) -> UInt16 {
        if let index = people[place].addresses.firstIndex(of: address) { return UInt16(index) }
        people[place].addresses.append(address)
        return UInt16(people[place].addresses.count - 1)
    }

    private mutating func move(_ said: Int, of place: Int, to address: PeerAddress) {
        let old = people[place].said[said].address
        guard people[place].addresses[Int(old)] != address else { return }
        people[place].said[said].address = self.address(address, of: place)
        tidy(place)
    }

    /// Discards addresses of a person that nobody repeats any more.
    private mutating func tidy(_ place: Int) {
        let used = people[place].said.map(\.address)
        for index in people[place].addresses.indices.reversed()
        where !used.contains(UInt16(index)) {
            people[place].addresses.remove(at: index)
            for said in people[place].said.indices
            where people[place].said[said].address > index {
                people[place].said[said].address -= 1
            }
        }
    }
}
