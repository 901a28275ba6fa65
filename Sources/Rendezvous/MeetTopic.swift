// SPDX-License-Identifier: Apache-2.0

/// Where something is left or said at a meeting point, within a group (docs/meet.md section 1).
///
/// At most 63 characters and 6 slashes.
package enum MeetTopic: Hashable, Sendable {
    /// The card of a passenger: kept.
    case card(MeetBox)
    /// A part of a passenger's own log, 0...3: kept.
    case part(MeetBox, Int)
    /// New entries, said once to all who are connected.
    case live
    /// Letters of one sender to one passenger: kept.
    case letters(inbox: MeetBox, lane: MeetBox)
    /// Frames of tunnels to one passenger.
    case tunnel(inbox: MeetBox)

    /// Characters of a whole topic, at most.
    package static let longest = 63

    /// Whether a broker keeps the last message.
    package var isKept: Bool {
        switch self {
        case .card, .part, .letters: true
        case .live, .tunnel: false
        }
    }

    /// The whole topic.
    package func text(in names: MeetNames) -> String {
        switch self {
        case .card(let box): "\(names.prefix)/c/\(box.bucket.text)/\(box.text)"
        case .part(let box, let number):
            "\(names.prefix)/l/\(box.bucket.text)/\(box.text)/\(number)"
        case .live: "\(names.prefix)/e"
        case .letters(let inbox, let lane): "\(names.prefix)/q/\(inbox.text)/\(lane.text)"
        case .tunnel(let inbox): "\(names.prefix)/t/\(inbox.text)"
        }
    }

    /// Reads what stands behind the names of a group; `nil` for another group and for anything that
    /// no agent writes, a box in a bucket that is not its own among it.
    package init?(_ text: String, in names: MeetNames) {
        guard text.utf8.count <= Self.longest, text.utf8.starts(with: (names.prefix + "/").utf8)
        else { return nil }
        let rest = text.utf8.dropFirst(names.prefix.utf8.count + 1)
        let words = rest.split(separator: 0x2F, omittingEmptySubsequences: false).map {
            String(Substring($0))
        }
        switch (words.first, words.count) {
        case ("e", 1): self = .live
        case ("t", 2):
            guard let inbox = MeetBox(words[1]) else { return nil }
            self = .tunnel(inbox: inbox)
        case ("q", 3):
            guard let inbox = MeetBox(words[1]), let lane = MeetBox(words[2]) else { return nil }
            self = .letters(inbox: inbox, lane: lane)
        case ("c", 3):
            guard let box = Self.box(words) else { return nil }
            self = .card(box)
        case ("l", 4):
            guard let box = Self.box(words), let number = Self.part(words[3]) else { return nil }
            self = .part(box, number)
        default: return nil
        }
    }

    private static func box(_ words: [String]) -> MeetBox? {
        guard let bucket = MeetBucket(words[1]), let box = MeetBox(words[2]),
            box.bucket == bucket
        else { return nil }
        return box
    }

    private static func part(_ word: String) -> Int? {
        guard word.utf8.count == 1, let digit = word.utf8.first,
            (0x30..<0x30 + UInt8(MeetLimits.parts)).contains(digit)
        else { return nil }
        return Int(digit - 0x30)
    }
}

/// What an agent asks a broker for.
package enum MeetFilter: Hashable, Sendable {
    /// All cards of a bucket.
    case cards(MeetBucket)
    /// All parts of logs of a bucket.
    case logs(MeetBucket)
    /// One card.
    case card(MeetBox)
    /// All parts of one log.
    case log(MeetBox)
    /// New entries.
    case live
    /// All letters to one passenger.
    case letters(inbox: MeetBox)
    /// Tunnels to one passenger.
    case tunnels(inbox: MeetBox)

    /// The whole filter. None has a wildcard before its fifth level: a broker may refuse those.
    package func text(in names: MeetNames) -> String {
        switch self {
        case .cards(let bucket): "\(names.prefix)/c/\(bucket.text)/+"
        case .logs(let bucket): "\(names.prefix)/l/\(bucket.text)/+/+"
        case .card(let box): "\(names.prefix)/c/\(box.bucket.text)/\(box.text)"
        case .log(let box): "\(names.prefix)/l/\(box.bucket.text)/\(box.text)/+"
        case .live: MeetTopic.live.text(in: names)
        case .letters(let inbox): "\(names.prefix)/q/\(inbox.text)/+"
        case .tunnels(let inbox): MeetTopic.tunnel(inbox: inbox).text(in: names)
        }
    }
}
