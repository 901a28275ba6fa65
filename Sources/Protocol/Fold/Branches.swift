// SPDX-License-Identifier: Apache-2.0
/// Finds out which no is contradicted by its own branch (docs/protocol.md section 13, step 5).
///
/// A no is clean if a walk along its prev links, as far as they are known, meets no yes of its
/// author on the same contract. Known are the author's log before their fork and what counted
/// anchors embed: in the end the same for all honest peers, whichever branch of a fork they hold.
///
/// The entries outside the logs form a forest of prev links. Each gets an interval that holds those
/// of its descendants, so one question costs O(log n) however deep a hostile chain is.
struct Branches {
    /// An entry that only anchors hold, and its place in the forest.
    private struct Stray {
        let entry: Entry
        /// Seq of the log entry that the chain reaches; 0 when a gap comes first.
        var reaches = 0
        /// Index of the previous entry, where it is outside the log too.
        var parent: Int?
        /// Number of entries from here on, this one included.
        var size = 1
        /// The interval of this subtree starts here and has `size` places.
        var start = 0

        init(_ entry: Entry) { self.entry = entry }
        var place: Place { Place(author: entry.author, seq: entry.seq, id: entry.id) }
    }

    private struct Place: Comparable {
        let author: PeerKey
        let seq: Int
        let id: EntryID

        static func < (left: Place, right: Place) -> Bool {
            (left.author, left.seq, left.id) < (right.author, right.seq, right.id)
        }
    }

    /// A yes on `contract`: at `place` of the log, or over the interval
    /// `place..<end` of the forest.
    private struct Yes: Comparable {
        let contract: ContractID
        let author: PeerKey
        let place: Int
        /// The largest end among this author's yes votes on the contract up to this one.
        var end = 0

        static func < (left: Yes, right: Yes) -> Bool {
            (left.contract, left.author, left.place) < (right.contract, right.author, right.place)
        }
    }

    private let evidence: Evidence
    /// By author, seq, id: a previous entry stands before those that name it.
    private var strays: [Stray] = []
    private var yesInLogs: [Yes] = []
    private var yesOutside: [Yes] = []

    init(_ evidence: Evidence) {
        self.evidence = evidence
        let outside = evidence.embedded.filter {
            $0.anchor.seq < evidence.fork(of: $0.anchor.author)
                && !evidence.isInCountedLog($0.entry)
        }
        strays = outside.map { Stray($0.entry) }.sortedOnce { $0.place < $1.place }
        link()
        layOut()
        gatherYes()
    }

    /// Whether `no`'s own branch, as far as it is known, holds no yes of the same author.
    func isClean(_ no: Entry) -> Bool {
        guard let contract = no.vote?.contract else { return false }
        if evidence.isInCountedLog(no) { return !saidYes(no.author, contract, upTo: no.seq) }
        let place = Place(author: no.author, seq: no.seq, id: no.id)
        guard let index = strays.position(of: place, by: \.place) else { return true }
        let stray = strays[index]
        if saidYes(no.author, contract, upTo: stray.reaches) { return false }
        let after = yesOutside.lowerBound(
            of: Yes(contract: contract, author: no.author, place: stray.start + 1)
        ) { $0 }
        guard after > 0 else { return true }
        let last = yesOutside[after - 1]
        return last.contract != contract || last.author != no.author || last.end <= stray.start
    }

    private func saidYes(_ author: PeerKey, _ contract: ContractID, upTo seq: Int) -> Bool {
        let index = yesInLogs.lowerBound(
            of: Yes(contract: contract, author: author, place: 0)
        ) { $0 }
        guard index < yesInLogs.count else { return false }
        let first = yesInLogs[index]
        return first.contract == contract && first.author == author && first.place <= seq
    }

    private mutating func link() {
        for index in strays.indices {
            let entry = strays[index].entry
            guard let previous = entry.previous else { continue }
            let place = Place(author: entry.author, seq: entry.seq - 1, id: previous)
            let log = evidence.log(of: entry.author)
            if place.seq < evidence.fork(of: entry.author),
                log?.entry(at: place.seq)?.id == previous
            {
                strays[index].reaches = place.seq
            } else if let parent = strays.position(of: place, by: \.place) {
                strays[index].parent = parent
                strays[index].reaches = strays[parent].reaches
            }
        }
    }

    private mutating func layOut() {
        for index in strays.indices.reversed() {
            if let parent = strays[index].parent { strays[parent].size += strays[index].size }
        }
        var free = 0
        var next: [Int] = []
        next.reserveCapacity(strays.count)
        for index in strays.indices {
            if let parent = strays[index].parent {
                strays[index].start = next[parent]
                next[parent] += strays[index].size
            } else {
                strays[index].start = free
                free += strays[index].size
            }
            next.append(strays[index].start + 1)
        }
    }

    private mutating func gatherYes() {
        // Those behind a fork do no harm: no chain is taken to reach that far.
        for entry in evidence.entries {
            guard let vote = entry.vote, vote.yes else { continue }
            yesInLogs.append(
                Yes(contract: vote.contract, author: entry.author, place: entry.seq))
        }
        yesInLogs.sort()
        for stray in strays {
            guard let vote = stray.entry.vote, vote.yes else { continue }
            yesOutside.append(
                Yes(
                    contract: vote.contract, author: stray.entry.author, place: stray.start,
                    end: stray.start + stray.size))
        }
        yesOutside.sort()
        for index in yesOutside.indices.dropFirst() {
            let before = yesOutside[index - 1]
            if before.contract == yesOutside[index].contract,
                before.author == yesOutside[index].author
            {
                yesOutside[index].end = max(yesOutside[index].end, before.end)
            }
        }
    }
}
