// SPDX-License-Identifier: Apache-2.0
/// Keeps one link's two ends at the same logs: digests, wants, answers, pushes (docs/protocol.md
/// section 11).
///
/// Entries are pulled: they go out against a WANT with a budget. A push is a favour that may get
/// lost; the next round of anti-entropy repairs that. Of a node's links a few are eager: new
/// entries are pushed there, and announced on the others (docs/protocol.md section 11); which ones
/// they are settles by LAZY and WANT.
package struct Replication: Sendable {
    /// What the peer is known to have, and what the last list on this link said of us.
    var theirs = PeerLogs()
    /// The authors of whom they may have more than we: those of whom they had more at the last
    /// look, and those whose number grew since.
    var raised: Set<PeerKey> = []
    /// The want that is under way.
    var asked: (until: Instant, stretches: [Want.Stretch])?
    /// Authors whose entries were of no use: not asked for again before the next round.
    var resting: [PeerKey] = []
    /// The entry that is asked for although it is here, to learn whether the peer has it.
    var probed: (author: PeerKey, seq: Int)?
    /// Stretches that the peer still waits for, and the bytes left of their budget.
    var owed: (stretches: [Want.Stretch], budget: Int)?
    /// Entries to push, and authors to announce.
    var pushes: [Entry] = []
    private var announcements: [PeerKey] = []
    /// What was announced since the last round and not seen at the peer yet: a WANT for
    /// it makes the link eager.
    private var announced: [PeerKey: Int] = [:]
    private var announceAt: Instant?
    /// Until then nothing is announced twice.
    var announceAgain: Instant
    var nextRound: Instant
    /// The peer's key, and whether they read SUMMARY.
    let peer: PeerKey?
    package var readsSummaries = false
    /// When one of the two sides began the last round; `nil` before the first.
    var roundAt: Instant?
    /// When the last SUMMARY went out, and when the last list went out that answered one.
    var summarizedAt: Instant?
    var listedAt: Instant?
    /// When a push was lost that the peer has not said since whether they have it.
    var lostAt: Instant?
    /// Our digest when a peer's digest was last answered.
    var answered: Bytes32?
    /// Whether new entries are pushed on this link, or only announced.
    package private(set) var isEager: Bool
    /// When it asks again for authors who had no capacity.
    var askAt: Instant?
    /// Looks for the first difference in one author's branches: between two places of their log.
    var bisection: (author: PeerKey, same: Int, differs: Int)?

    /// What the rest of the core knows when it calls.
    package struct Surroundings {
        /// All logs.
        package let logs: LogSet
        /// Their frontier; needed when FRONTIER came and when a round is due,
        /// and made for these alone.
        package let frontier: Frontier?
        /// Digest of the map.
        package let map: Bytes32
        /// Bytes that the session takes in bulk.
        package var room: Int
        /// Authors that other links ask for now: once is enough. This and the following are only
        /// filled in when the link may ask (``mayAsk(hearing:_:)``).
        package var askedElsewhere: Set<PeerKey>
        /// Passengers linked now, some tens at most: they may always open a log here.
        package var met: [PeerKey]
        /// How many other unknown authors this peer may introduce.
        package var newcomers: Admission.Room
        /// How much of each author is kept; of ledgers all.
        package var shares: Shares?
        /// Whether these four are filled in.
        package var isForAsking = true

        /// What the link may know; nothing is asked elsewhere and nobody is met unless given.
        package init(
            logs: LogSet, frontier: Frontier?, map: Bytes32, room: Int,
            askedElsewhere: Set<PeerKey> = [], met: [PeerKey] = [],
            newcomers: Admission.Room = .any, shares: Shares? = nil
        ) {
            self.logs = logs
            self.frontier = frontier
            self.map = map
            self.room = room
            self.askedElsewhere = askedElsewhere
            self.met = met
            self.newcomers = newcomers
            self.shares = shares
        }

        /// How many more bytes of `author` may be kept from `seq` on; 0 if too few to ask for.
        func room(for author: PeerKey, seq: Int) -> Int {
            guard let shares, logs.log(of: author)?.isLedger != true else { return .max }
            let isLinked = met.contains(author)
            guard shares.isOpen(to: author, seq: seq, isLinked: isLinked) else { return 0 }
            return shares.room(for: author, seq: seq, isLinked: isLinked)
        }
    }

    /// What a link's replication asks for.
    package struct Output: Hashable, Sendable {
        /// Messages, in order.
        package var messages: [Message] = []
        /// Equal logs gave another map at the peer.
        package var diverged = false
        /// A WANT ended: other links may ask for what it held.
        package var released = false
        /// Authors of whom the peer has more than their share here allows.
        package var leftOut: [PeerKey] = []

        /// Nothing.
        package init() {}
    }

    /// A link just opened.
    package init(at now: Instant, isEager: Bool = true, peer: PeerKey? = nil) {
        self.peer = peer
        nextRound = now
        announceAgain = now + Limits.announceAgain
        self.isEager = isEager
    }

    /// When it wants to be called.
    package var nextDeadline: Instant? {
        min(
            nextRound, asked?.until ?? nextRound, announceAt ?? nextRound, askAt ?? nextRound)
    }

    /// How much of a log the peer has, as far as they say.
    package func claimed(of author: PeerKey) -> Int { theirs.seq(of: author) ?? 0 }

    /// Whether `flush` has something to do.
    package func isDue(at now: Instant) -> Bool {
        if !pushes.isEmpty || owed != nil || nextRound <= now { return true }
        if let asked, asked.until <= now { return true }
        if let askAt, askAt <= now { return true }
        return announceAt.map { $0 <= now } ?? false
    }

    /// Whether `flush` tells the peer our frontier and map.
    package func isRoundDue(at now: Instant) -> Bool {
        nextRound <= now || asked.map { $0.until <= now } == true
    }

    // MARK: What happened elsewhere

    /// A log grew. If the peer may lack the entry, it is pushed on an eager link and
    /// announced on others. New announcements are due at `due`, the same time on all links,
    /// so that the agent wakes once.
    package mutating func grew(_ entry: Entry, announceAt due: Instant) {
        guard claimed(of: entry.author) < entry.seq else { return }
        if isEager {
            pushes.append(entry)
        } else if !announcements.contains(entry.author) {
            announcements.append(entry.author)
            announceAt = announceAt ?? due
        }
    }

    /// The session had no room for a push: the next round comes soon.
    package mutating func lostPush(at now: Instant) {
        lostAt = now
        nextRound = min(nextRound, now + .seconds(1))
    }

    /// How much of `author`'s log the peer said that they have. What was
    /// only pushed does not count.
    package func confirmed(_ author: PeerKey) -> Int { theirs.confirmed(author) }

    /// The peer sent `entry`, or we know from elsewhere that they have it; `isMore` where that may
    /// be more than we have.
    package mutating func has(_ author: PeerKey, _ seq: Int, isMore: Bool = true) {
        if theirs.raise(author, to: seq), isMore { raised.insert(author) }
    }

    /// What the peer's entries came to.
    package mutating func ingested(
        _ results: [Insertion], kind: EntryBatch.Kind?, _ here: Surroundings, at now: Instant
    ) -> Output {
        var output = Output()
        var isNew = results.isEmpty
        for result in results {
            switch result {
            case .added(let entry):
                isNew = true
                has(entry.author, entry.seq, isMore: false)
                // Whoever committed waits for one other agent to hold their certificate
                // (docs/protocol.md section 17).
                if case .commit = entry.body {
                    output.messages.append(.have([Have(author: entry.author, seq: entry.seq)]))
                }
            case .known(let author, let seq):
                // Behind a fork too: then the log may lack what stands before it.
                has(author, seq, isMore: seq > here.logs.seq(of: author))
                if let probed, probed == (author, seq) { theirs.confirm(author, atLeast: seq) }
                narrow(author, seq, same: true)
            case .branches(let author, let seq):
                isNew = true
                if bisection == nil { bisection = (author, 0, seq - 1) }
            case .fork(let proof):
                isNew = true
                narrow(proof.author, proof.seq, same: false)
                output.messages.append(
                    .forkProof(first: proof.first.bytes, second: proof.second.bytes))
            case .gap(let author, let seq), .delayed(let author, let seq):
                isNew = true
                has(author, seq)
            case .leftOut(let entry):
                isNew = true
                has(entry.author, entry.seq)
            case .refused: isNew = true
            }
        }
        if kind == .push, !isNew, isEager {
            // Another link is quicker: this one need only announce, in both directions.
            isEager = false
            output.messages.append(.lazy)
        }
        if kind == .last {
            probed = nil
            rest(here)
            asked = nil
            output.released = true
        }
        ask(&output, here, at: now)
        return output
    }

    /// New entries are pushed on this link from now on.
    package mutating func becomeEager() { isEager = true }

    /// The peer has these entries from elsewhere, sooner.
    package mutating func lazy() { isEager = false }

    /// A proof is known here: the peer gets it.
    package func proved(_ proof: ForkProof) -> Message {
        .forkProof(first: proof.first.bytes, second: proof.second.bytes)
    }

    // MARK: What the peer says

    /// FRONTIER came.
    package mutating func frontier(
        _ message: FrontierMessage, _ here: Surroundings, at now: Instant
    ) -> Output {
        var output = Output()
        guard let ours = here.frontier else { return output }
        if message.items == nil { heardRound(at: now) }
        guard message.logs != ours.digest else {
            output.diverged = message.map != here.map
            agree(ours.items)
            return output
        }
        guard let items = message.items else {
            answerRound(ours, here.map, &output, at: now)
            return output
        }
        if let lost = lostAt, let told = summarizedAt, lost <= told { lostAt = nil }
        if !message.isPartial { theirs.forgetForks() }
        for item in items {
            if theirs.set(item.author, item.seq) { raised.insert(item.author) }
            theirs.confirm(item.author, item.seq)
            theirs.setFork(of: item.author, item.fork)
            compare(item, here)
        }
        for log in here.logs.logs {
            guard let proof = log.proof else { continue }
            let known = theirs.fork(of: log.author)
            if known == 0 || known > proof.seq { output.messages.append(proved(proof)) }
        }
        // They remember what they are told on a link: said once, and again after a while, since
        // they may keep no more of somebody (docs/protocol.md section 9).
        if mayAnnounceAgain(ours, at: now) {
            announceAgain = now + Limits.announceAgain
            theirs.forgetAnnounced()
        }
        pushLedgers(&output, here.logs)
        let authors = ours.items.filter { $0.seq > theirs.announced($0.author) }.map(\.author)
        announce(&output, authors, here)
        ask(&output, here, at: now)
        return output
    }

    /// An author may have capacity again: ask for all of them.
    package mutating func rouse() { resting = [] }

    /// HAVE came.
    package mutating func have(_ list: [Have], _ here: Surroundings, at now: Instant) -> Output {
        var output = Output()
        for have in list {
            has(have.author, have.seq, isMore: have.seq > here.logs.seq(of: have.author))
            theirs.confirm(have.author, atLeast: have.seq)
        }
        ask(&output, here, at: now)
        return output
    }

    /// WANT came: a later one replaces what is left of an earlier one.
    package mutating func want(_ want: Want, _ here: Surroundings) -> Output {
        owed = (want.stretches, want.budget)
        for stretch in want.stretches
        where announced[stretch.author].map({ stretch.through >= $0 }) == true {
            // They learnt it here first: from now on they get it at once.
            isEager = true
            announced = [:]
            break
        }
        var output = Output()
        answer(&output, here)
        return output
    }

    // MARK: By itself

    /// Everything that is due: pushes, announcements, rounds, slices of an answer. A round needs
    /// the frontier (``isRoundDue(at:)``).
    package mutating func flush(
        _ here: Surroundings, random: inout SeededRandom, at now: Instant
    ) -> Output {
        var output = Output()
        push(&output)
        if let due = announceAt, due <= now {
            announceAt = nil
            announced = [:]
            announce(&output, announcements, here)
            for author in announcements { announced[author] = here.logs.seq(of: author) }
            announcements = []
        }
        if let asked, asked.until <= now {
            rest(here)
            self.asked = nil
            bisection = nil
            nextRound = now
            output.released = true
        }
        if nextRound <= now, let ours = here.frontier {
            beginRound(ours, here.map, &output, random: &random, at: now)
        }
        if let due = askAt, due <= now {
            askAt = nil
            ask(&output, here, at: now)
        }
        answer(&output, here)
        return output
    }

    /// Announces what the peer lacks of `authors`, so that they ask.
    private mutating func announce(
        _ output: inout Output, _ authors: [PeerKey], _ here: Surroundings
    ) {
        let list = authors.compactMap { author -> Have? in
            let seq = here.logs.seq(of: author)
            return seq > claimed(of: author) ? Have(author: author, seq: seq) : nil
        }
        for have in list { theirs.announce(have.author, have.seq) }
        for start in stride(from: 0, to: list.count, by: Limits.stretches) {
            output.messages.append(.have(Array(list[start...].prefix(Limits.stretches))))
        }
    }

    /// All of our frontier the first time, then what changed since the last list on this link; of a
    /// long one not what was said otherwise, since a SUMMARY shows later what that hid.
    mutating func list(_ ours: Frontier, _ map: Bytes32) -> FrontierMessage {
        let isPartial = theirs.isTold
        let isShort = isPartial && readsSummaries && ours.isLong && lostAt == nil
        let items = ours.items.filter { !theirs.isTold($0) && !(isShort && isSaid($0)) }
        theirs.tell(items)
        return FrontierMessage(
            logs: ours.digest, map: map, items: items, isPartial: isPartial)
    }
}
