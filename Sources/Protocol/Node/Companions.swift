// SPDX-License-Identifier: Apache-2.0
/// The user's party: its secret, who has it, whom of them the user travels with, and what they say
/// (docs/protocol.md section 30).
///
/// A secret can be overheard. So whoever shows it is a candidate, and nothing more until the user
/// says yes to that very key.
struct Companions: Sendable {
    /// A passenger and the tag of their last wish.
    typealias Shown = (key: PeerKey, tag: ThreadID)

    private let me: PeerKey
    private let flight: FlightID
    private let primitives: any Primitives
    /// What the disk has; `nil` in no party.
    private(set) var state: PartyState?
    /// What the secrets come to, in their order.
    private var keys: [PartyKeys] = []
    /// Of each passenger who shows a secret, which one: 0 is that of now.
    private var shown: [PeerKey: Int] = [:]
    /// Companions who count, sorted.
    private(set) var counted: [PeerKey] = []
    /// What was said, in the order in which it came; at most ``Limits/messages``.
    private(set) var lines: [PartyLine] = []
    /// Until when the code works.
    private var openUntil: Instant?
    /// How many the user was asked about since the last invitation.
    private var asked = 0
    /// New secrets of the last hour: those that were followed, and by ``me`` the own ones.
    private var changes: [(peer: PeerKey, at: Instant)] = []

    /// Goes on with what was stored.
    init(
        _ state: PartyState?, me: PeerKey, flight: FlightID, primitives: any Primitives
    ) {
        self.me = me
        self.flight = flight
        self.primitives = primitives
        self.state = state
        derive()
    }

    private mutating func derive() {
        keys = (state?.secrets ?? []).map {
            PartyKeys($0, flight: flight, primitives: primitives)
        }
    }

    /// What the own wish shows; `nil` in no party.
    var ownTag: ThreadID? { keys.first?.tag(of: me) }

    /// For people.
    func view(at now: Instant) -> PartyView? {
        state.map { state in
            PartyView(
                state: state, companions: counted, current: counted.filter { shown[$0] == 0 },
                candidates: state.members
                    .filter { $0.standing == .candidate && shown[$0.key] == 0 }.map(\.key),
                openUntil: openUntil.flatMap { $0 > now ? $0 : nil })
        }
    }

    private func standing(of key: PeerKey) -> PartyMember.Standing? {
        state?.members.first { $0.key == key }?.standing
    }

    /// Whether the user said yes to them.
    func isCompanion(_ key: PeerKey) -> Bool { standing(of: key) == .companion }

    // MARK: Who shows the secret

    /// All that passengers show, at a start and whenever the secret or the logs became others.
    mutating func see(all: [Shown], at now: Instant) -> PartEffects {
        let before = shown
        shown = [:]
        var effects = PartEffects()
        for one in all { note(one, since: before[one.key], &effects, at: now) }
        recount(&effects)
        return effects
    }

    /// A passenger shows something new.
    mutating func see(_ one: Shown, at now: Instant) -> PartEffects {
        var effects = PartEffects()
        guard state != nil else { return effects }
        note(one, since: shown[one.key], &effects, at: now)
        recount(&effects)
        return effects
    }

    /// The same after a start, before anything can be told.
    mutating func resume(_ all: [Shown]) {
        for one in all where one.key != me {
            shown[one.key] = keys.firstIndex { $0.tag(of: one.key) == one.tag }
        }
        var effects = PartEffects()
        recount(&effects)
    }

    /// Notes what somebody shows, who showed the secret number `before` until now.
    private mutating func note(
        _ one: Shown, since before: Int?, _ effects: inout PartEffects, at now: Instant
    ) {
        guard one.key != me else { return }
        shown[one.key] = keys.firstIndex { $0.tag(of: one.key) == one.tag }
        guard shown[one.key] == 0 else { return }
        switch standing(of: one.key) {
        case nil where isOpen(at: now) && asked < Limits.candidates: asked += 1
        // The user was asked about them under an earlier secret: the question is open still.
        case .candidate where before != nil && before != 0: break
        case .candidate, .companion, .refused, .removed, nil: return
        }
        put(one.key, .candidate, &effects)
        effects.notices.append(.party(.candidate(one.key)))
    }

    /// Whether the code works.
    private func isOpen(at now: Instant) -> Bool {
        guard let state else { return false }
        return state.isFromHome || openUntil.map { $0 > now } ?? false
    }

    private mutating func put(
        _ key: PeerKey, _ standing: PartyMember.Standing, _ effects: inout PartEffects
    ) {
        guard var members = state?.members else { return }
        let member = PartyMember(key: key, standing: standing)
        if let place = members.firstIndex(where: { $0.key == key }) {
            members[place] = member
        } else {
            members.append(member)
        }
        if members.count > Limits.partyMembers,
            let oldest = members.firstIndex(where: { $0.standing != .companion })
        {
            members.remove(at: oldest)
        }
        state?.members = members
        effects.writes.append(.party(state))
    }

    /// Who counts: whom the user said yes to, as long as they show the secret or one before it.
    private mutating func recount(_ effects: inout PartEffects) {
        let before = counted
        let members = state?.members ?? []
        counted = members.filter { $0.standing == .companion && shown[$0.key] != nil }
            .map(\.key).sorted()
        // What they claim weighs more now, or as much as before.
        if counted != before { effects.notices += [.party(.changed), .map] }
    }

    // MARK: What the user wants

    /// Begins a party, or takes part in one; the code works for a while.
    mutating func begin(
        _ secret: PartySecret, fromHome: Bool, _ all: [Shown], at now: Instant
    ) -> Result<PartEffects, PartyRefusal> {
        guard state == nil else { return .failure(.already) }
        state = PartyState(secrets: [secret], isFromHome: fromHome)
        derive()
        lines = []
        return .success(opened(all, at: now))
    }

    /// Lets the code work for a while.
    mutating func invite(_ all: [Shown], at now: Instant) -> Result<PartEffects, PartyRefusal> {
        guard state != nil else { return .failure(.none) }
        return .success(opened(all, at: now))
    }

    private mutating func opened(_ all: [Shown], at now: Instant) -> PartEffects {
        asked = 0
        openUntil = now + Limits.invitation
        var effects = PartEffects(writes: [.party(state)], notices: [.party(.changed)])
        for one in all { note(one, since: shown[one.key], &effects, at: now) }
        recount(&effects)
        return effects
    }

    /// The user's answer about somebody who shows the secret. While the code works, the user may
    /// name somebody whom they were not asked about: sixteen made-up keys come before nobody.
    mutating func answer(
        _ key: PeerKey, _ isCompanion: Bool, at now: Instant
    ) -> Result<PartEffects, PartyRefusal> {
        guard let state else { return .failure(.none) }
        let standing = standing(of: key)
        guard standing != nil || isOpen(at: now), standing != .companion, shown[key] == 0 else {
            return .failure(.notCandidate(key))
        }
        let companions = state.members.count { $0.standing == .companion }
        guard !isCompanion || companions < Limits.partyCompanions else { return .failure(.full) }
        var effects = PartEffects(notices: [.party(.changed)])
        put(key, isCompanion ? .companion : .refused, &effects)
        recount(&effects)
        return .success(effects)
    }

    /// Takes somebody out: gives what the others must be told.
    mutating func remove(
        _ key: PeerKey, next secret: PartySecret, _ all: [Shown], at now: Instant
    ) -> Result<(effects: PartEffects, news: NextParty), PartyRefusal> {
        guard let first = keys.first else { return .failure(.none) }
        guard standing(of: key) != nil else { return .failure(.notMember(key)) }
        guard mayChange(me, at: now) else { return .failure(.tooOften) }
        changes.append((me, now))
        let proof = first.proof(of: secret, without: key)
        let effects = move(to: [secret], without: key, all, at: now)
        return .success((effects, NextParty(secret: secret, removed: key, proof: proof)))
    }

    /// In no party from now on.
    mutating func leave() -> Result<PartEffects, PartyRefusal> {
        guard state != nil else { return .failure(.none) }
        state = nil
        keys = []
        shown = [:]
        lines = []
        openUntil = nil
        var effects = PartEffects(writes: [.party(nil)], notices: [.party(.changed)])
        recount(&effects)
        return .success(effects)
    }

    // MARK: Another secret

    /// A companion took somebody out: `nil` if this is nothing to follow. Of two who do so at once
    /// each told the other's outcast, so that neither secret counts: the party has one that only
    /// those know who have both.
    mutating func follow(
        _ next: NextParty, from peer: PeerKey, _ all: [Shown], at now: Instant
    ) -> PartEffects? {
        // Their log may have shown the new secret before this message came.
        guard let state, standing(of: peer) == .companion, next.removed != me,
            next.removed != peer, !state.secrets.contains(next.secret),
            mayChange(peer, at: now)
        else { return nil }
        let place = keys.prefix(2).firstIndex {
            $0.proof(of: next.secret, without: next.removed) == next.proof
        }
        guard let place else { return nil }
        var secrets = [next.secret]
        if place == 1 {
            guard let both = keys[1].joined(next.secret, state.secrets[0]),
                !state.secrets.contains(both)
            else { return nil }
            secrets.insert(both, at: 0)
        }
        changes.append((peer, now))
        var effects = move(to: secrets, without: next.removed, all, at: now)
        effects.notices.append(.party(.removed(next.removed, by: peer)))
        return effects
    }

    /// Whether one more secret is taken from `peer`: each costs a wish, and room for old ones. Of
    /// the own user no more than the agents of the others take.
    private mutating func mayChange(_ peer: PeerKey, at now: Instant) -> Bool {
        changes.removeAll { $0.at + Limits.partyChangeTime <= now }
        let others = changes.count { peer == me || $0.peer != me }
        return others < Limits.partyChanges
            && changes.count { $0.peer == peer } < Limits.partyChangesOfOne
    }

    private mutating func move(
        to secrets: [PartySecret], without key: PeerKey, _ all: [Shown], at now: Instant
    ) -> PartEffects {
        state?.secrets.insert(contentsOf: secrets, at: 0)
        if let kept = state?.secrets.prefix(Limits.partySecrets) { state?.secrets = Array(kept) }
        // Whoever needs the new code aboard is invited anew.
        state?.isFromHome = false
        openUntil = nil
        derive()
        var effects = PartEffects(notices: [.party(.changed)])
        put(key, .removed, &effects)
        let seen = see(all: all, at: now)
        effects.writes += seen.writes
        effects.notices += seen.notices
        return effects
    }

    // MARK: Talk

    /// Seals a line for the own entry at `seq`.
    func sealed(_ line: PartyText, at seq: Int) -> Result<SealedTalk, PartyRefusal> {
        guard let first = keys.first else { return .failure(.none) }
        return first.sealed(line, by: me, at: seq).map { .success($0) } ?? .failure(.noSeal)
    }

    /// A sealed entry: a line if the user travels with its author and it can be opened.
    mutating func hear(_ entry: Entry, seen: UTCTime) -> [Notice] {
        guard case .sealed(let talk) = entry.body, !keys.isEmpty,
            entry.author == me || counted.contains(entry.author),
            let line = opened(talk, entry)
        else { return [] }
        let heard = PartyLine(at: seen, author: entry.author, id: entry.id, line: line)
        lines.append(heard)
        // Removed in one go, so that a long flight does not shift the array at every line.
        if lines.count > Limits.messages + Limits.messages / 4 {
            lines.removeFirst(lines.count - Limits.messages)
        }
        return [.party(.line(heard))]
    }

    private func opened(_ talk: SealedTalk, _ entry: Entry) -> PartyText? {
        for key in keys {
            if let line = key.opened(talk, by: entry.author, at: entry.seq) { return line }
        }
        return nil
    }

    /// What somebody said before the user said yes to them, and has not been read.
    mutating func hear(all entries: [Entry], seen: UTCTime) -> [Notice] {
        let known = Set(lines.map(\.id))
        return entries.filter { !known.contains($0.id) }.flatMap { hear($0, seen: seen) }
    }

    /// A fork cut a log: what stood behind it was never said.
    mutating func cut(_ log: AuthorLog) {
        guard lines.contains(where: { $0.author == log.author }) else { return }
        let left = Set(log.entries.map(\.id))
        lines.removeAll { $0.author == log.author && !left.contains($0.id) }
    }
}
