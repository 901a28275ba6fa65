// SPDX-License-Identifier: Apache-2.0
import Aviation
import ControlAPI
import Grammar
import Parking
import Protocol
import Text
import Wording

/// The words that could stand at the end of a line: what the table says, and what is live.
///
/// What passengers wrote comes out harmless: as a word only where no shell sees more than a word in
/// it, else the seat or the tag stands for the passenger.
enum CompletionAnswer {
    /// The line that tells a shell's script to offer files.
    static let files = ":files"

    /// One line for each word: the word, a tab, and its meaning.
    static func lines(_ question: CompletionQuestion, _ candidates: [Candidate]) -> [String] {
        let typed = question.typed.lowercased()
        var seen: Set<String> = []
        return candidates.filter { candidate in
            candidate.word.lowercased().hasPrefix(typed) && seen.insert(candidate.word).inserted
        }.map { candidate in
            let about = visible(candidate.about, cells: 60)
            return question.head + candidate.word + (about.isEmpty ? "" : "\t" + about)
        }
    }

    // MARK: From the agent's answers

    /// From the answer to `peers`: each passenger's seats, their name if it is plain and unique,
    /// and the tag if nothing else identifies them.
    static func passengers(_ peers: [Peer]) -> [Candidate] {
        peers.filter { !$0.left }.flatMap { peer in
            let who = peer.person
            var words = who.seats.map { Candidate($0.text, WhoText.tagged(who)) }
            if isPlain(who.name), isOnly(who) {
                words.append(Candidate(who.name, WhoText.full(who)))
            }
            if words.isEmpty, isTag(who.tag) {
                words.append(Candidate(who.tag, WhoText.short(who)))
            }
            return words
        }
    }

    /// From the answer to `peers`: seats that others hold.
    static func seatsOfOthers(_ peers: [Peer], _ cabin: CabinLayout) -> [Candidate] {
        peers.flatMap { peer in
            peer.seats.map { seat in
                let words = cabin.words(seat.text) ?? "seat"
                let offers = peer.offer == nil ? "" : ", offered"
                return Candidate(
                    seat.text, "\(words) of \(WhoText.short(peer.person))\(offers)")
            }
        }
    }

    /// From the answer to `status`: the user's own seats.
    static func ownSeats(_ status: AgentStatus) -> [Candidate] {
        let cabin = CabinLayout(told: status.cabin) ?? .standard
        return status.me.seats.map { Candidate($0.text, cabin.words($0.text) ?? "") }
    }

    /// From the answer to `requests` with all: those that are of use.
    static func requests(_ requests: [SwapRequest], for use: RequestUse) -> [Candidate] {
        requests.filter { fits($0, use) }.map { request in
            let seats = request.moves.map(\.seat.text).joined(separator: ", ")
            let with = request.with.map { WhoText.short($0) }.joined(separator: ", ")
            return Candidate(String(request.number), "\(with): \(seats) \"\(request.note)\"")
        }
    }

    private static func fits(_ request: SwapRequest, _ use: RequestUse) -> Bool {
        switch use {
        case .answer: return request.needsAnswer
        case .cancel: return request.state == .open && !request.needsAnswer
        case .force: return request.state == .stranded
        case .receipt: return request.state == .final
        case .any:
            let states: [RequestState] = [.open, .agreed, .stranded]
            return request.state.known.map(states.contains) ?? false
        }
    }

    /// From the driver's list: its numbers, the newest first.
    static func parkedCars(_ book: ParkingBook, _ now: UTCTime) -> [Candidate] {
        book.records.map { record in
            Candidate(
                String(record.number),
                "\(record.plate) at \(record.building), \(record.left(at: now))")
        }
    }

    private static func isOnly(_ who: Person) -> Bool {
        !who.ambiguous && !who.confusable && !who.alarming && !who.reserved
    }

    private static func isTag(_ tag: String) -> Bool {
        tag.first == "#" && isPlain(String(tag.dropFirst()))
    }

    /// Whether it has only letters, digits and inner `_ . -`: the same single word to every shell.
    static func isPlain(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, text.utf8.count <= 48 else { return false }
        return first != "-" && first != "."
            && text.unicodeScalars.allSatisfy { scalar in
                if scalar.isASCII {
                    return 48...57 ~= scalar.value || 65...90 ~= scalar.value
                        || 97...122 ~= scalar.value || "._-".unicodeScalars.contains(scalar)
                }
                return scalar.isSafeToPrint && scalar.properties.isAlphabetic
            }
    }
}
