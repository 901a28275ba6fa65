// SPDX-License-Identifier: Apache-2.0
import FuzzKit
import Protocol

@testable import Rendezvous

/// What a broker gives: what is read is written as the same bytes, of whatever is opened only what
/// was sealed for that place, and of topics only those that an agent writes.
///
/// Input: what it is meant to be, then a plain, the body of a card, a list of letters, a topic, or
/// choices of what is sealed, where, and what is bent of it.
enum MeetTarget {
    private static let flight = FlightKey(
        auth: LaxPrimitives.shared.sha256([7]), primitives: LaxPrimitives.shared)
    private static let keys = MeetKeys(flight, primitives: LaxPrimitives.shared)
    private static let names = keys.names(in: MeetEpoch(number: 20_780))
    private static let next = keys.names(in: MeetEpoch(number: 20_781))

    static func run(_ input: [UInt8]) -> Verdict {
        guard let kind = input.first else { return .refused }
        let rest = Array(input.dropFirst())
        return switch kind % 5 {
        case 0: plain(rest)
        case 1: card(rest)
        case 2: letters(rest)
        case 3: topic(rest)
        default: payload(rest)
        }
    }

    // MARK: Bytes

    private static func plain(_ bytes: [UInt8]) -> Verdict {
        guard let plain = try? MeetPlain(decoding: bytes) else { return .refused }
        let closed = plain.encoded
        hold(closed != nil || bytes.count > 16_343 - 16, "what was read cannot be written")
        guard let closed else { return .accepted }
        hold(SealedPayload.plainSizes.contains(closed.count), "a size that gives away another")
        hold((try? MeetPlain(decoding: closed)) == plain, "what was written says something else")
        // They differ in the padding alone.
        let common = zip(bytes, closed).prefix { $0 == $1 }.count
        hold(bytes.dropFirst(common + 3).allSatisfy { $0 == 0 }, "two encodings of one plain")
        switch plain {
        case .card(let signed): judge(signed)
        case .part(_, let number, let entries):
            hold((0..<MeetLimits.parts).contains(number), "a part that nobody leaves")
            hold((1...256).contains(entries.count), "a part of too many")
        case .live(let entries):
            hold((1...MeetLimits.liveEntries).contains(entries.count), "more than is said at once")
        case .letters(let letters):
            hold(letters.until > letters.made, "letters that are over when they are made")
        }
        return .accepted
    }

    /// Judges a card at any time and does not come to grief.
    private static func judge(_ signed: SignedCard) {
        let card = signed.card
        for now in [0, card.made.seconds, card.until.seconds, 20_780 * 86_400, .max] {
            let isGood = signed.isGood(
                for: card.flight, in: names, at: UTCTime(seconds: now), stampBits: 0,
                primitives: LaxPrimitives.shared)
            guard isGood else { continue }
            hold(card.until.seconds > now, "a card that is over counts")
            hold(card.until.seconds - card.made.seconds <= MeetLimits.longestStay, "it stays on")
            hold(card.made.seconds - 600 <= now, "a card of tomorrow counts")
        }
        hold(!card.replaces(card), "a card replaces itself")
    }

    private static func card(_ bytes: [UInt8]) -> Verdict {
        guard let card = try? MeetCard(decoding: bytes) else { return .refused }
        hold(card.encoded == bytes, "two encodings of one card")
        hold(card.items.count <= MeetLimits.cardItems, "a card of too many items")
        for (one, two) in zip(card.items, card.items.dropFirst()) {
            hold(one.author < two.author, "items out of order")
        }
        return .accepted
    }

    private static func letters(_ bytes: [UInt8]) -> Verdict {
        guard let letters = try? MeetLetter.decode(bytes) else { return .refused }
        hold(MeetLetter.encode(letters) == bytes, "two encodings of one list")
        hold((1...MeetLimits.letters).contains(letters.count), "a list that nobody writes")
        return .accepted
    }

    // MARK: Topics

    /// A topic as it came, and behind the names of the group.
    private static func topic(_ bytes: [UInt8]) -> Verdict {
        let text = String(decoding: bytes, as: UTF8.self)
        var verdict = Verdict.refused
        for whole in [text, "\(names.prefix)/\(text)"] {
            guard let topic = MeetTopic(whole, in: names) else { continue }
            hold(topic.text(in: names) == whole, "two texts of one topic")
            hold(MeetTopic(whole, in: next) == nil, "a topic of two days")
            hold(whole.utf8.count <= MeetTopic.longest, "a topic that is too long")
            verdict = .accepted
        }
        return verdict
    }

    // MARK: Payloads

    private static func topics(_ choice: Int) -> MeetTopic {
        let author = PeerKey(LaxPrimitives.shared.sha256([UInt8(choice & 3)]))
        let box = keys.box(of: author, in: names.epoch)
        return switch choice >> 2 & 3 {
        case 0: .card(box)
        case 1: .part(box, choice >> 4 & 3)
        case 2: .live
        default: .letters(inbox: box, lane: keys.inbox(of: author, in: names.epoch))
        }
    }

    /// Seals new entries for one place and opens them there, elsewhere, bent and as given.
    private static func payload(_ bytes: [UInt8]) -> Verdict {
        let lax = LaxPrimitives.shared
        var choices = Choices(bytes)
        let (there, elsewhere) = (topics(Int(choices.byte())), topics(Int(choices.byte())))
        let place = choices.wide()
        let bit = UInt8(1) << (choices.byte() & 7)
        let entry = choices.rest()
        hold(
            SealedPayload.open(bytes, from: there, in: names, primitives: lax) == nil,
            "something opens that nobody sealed")
        guard let plain = MeetPlain.live([entry]).encoded else { return .refused }
        let nonce = [UInt8](repeating: bit, count: SealedPayload.nonceBytes)
        guard
            let payload = SealedPayload.seal(
                plain, for: there, in: names, nonce: nonce, primitives: lax)
        else { broken("what was padded cannot be sealed") }
        func open(_ payload: [UInt8], _ topic: MeetTopic, _ names: MeetNames) -> [UInt8]? {
            SealedPayload.open(payload, from: topic, in: names, primitives: lax)
        }
        hold(open(payload, there, names) == plain, "what was sealed does not open")
        hold(open(payload, there, next) == nil, "it opens on another day")
        if there != elsewhere { hold(open(payload, elsewhere, names) == nil, "it opens elsewhere") }
        var bent = payload
        bent[place % bent.count] ^= bit
        hold(open(bent, there, names) == nil, "it opens with a bit bent")
        let cut = Array(payload.dropLast(1 + place % payload.count))
        hold(open(cut, there, names) == nil, "it opens when it is cut")
        return (try? MeetPlain(decoding: plain)) == nil ? .refused : .accepted
    }
}
