// SPDX-License-Identifier: Apache-2.0
import Aviation
import Grammar
import Text
import Wording

/// The words that could stand at the end of a line: what the table says, and what is live.
///
/// What passengers wrote comes out harmless: as a word only where no shell sees more than a word in
/// it, else the seat or the tag stands for the passenger.
enum CompletionAnswer {
    /// The line that tells a shell's script to offer files.
    static let files = ":files"

    /// One line for each word: the word, a tab, and what it is.
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

    /// From the answer to `peers`: each passenger's seats, the name where it is plain and names
    /// nobody else, and the tag where nothing else does.
    static func passengers(_ peers: JSON) -> [Candidate] {
        (peers["peers"]?.list ?? []).filter { $0["left"] != true }.flatMap { who in
            var words = seats(who).map { Candidate($0, WhoText.tagged(who)) }
            if let name = who["name"]?.text, isPlain(name), isOnly(who) {
                words.append(Candidate(name, WhoText.full(who)))
            }
            if words.isEmpty, let tag = who["tag"]?.text, isTag(tag) {
                words.append(Candidate(tag, WhoText.short(who)))
            }
            return words
        }
    }

    /// From the answer to `peers`: seats that others hold.
    static func seatsOfOthers(_ peers: JSON, _ cabin: CabinLayout) -> [Candidate] {
        (peers["peers"]?.list ?? []).flatMap { who in
            seats(who).map { seat in
                let offers = who["offer"] == nil || who["offer"] == .null ? "" : ", offered"
                return Candidate(
                    seat, "\(cabin.words(seat) ?? "seat") of \(WhoText.short(who))\(offers)")
            }
        }
    }

    /// From the answer to `status`: one's own seats.
    static func ownSeats(_ status: JSON) -> [Candidate] {
        let cabin = CabinLayout(told: status["cabin"]) ?? .standard
        return seats(status["me"] ?? .null).map { Candidate($0, cabin.words($0) ?? "") }
    }

    /// From the answer to `requests` with all: those on which `command` can do something.
    static func requests(_ answer: JSON, for command: String) -> [Candidate] {
        (answer["requests"]?.list ?? []).compactMap { request in
            guard let number = request["number"]?.number, fits(request, command) else { return nil }
            let moves = (request["moves"]?.list ?? []).compactMap { $0["seat"]?.text }
            let with = (request["with"]?.list ?? []).map { WhoText.short($0) }
            return Candidate(
                String(number),
                "\(with.joined(separator: ", ")): \(moves.joined(separator: ", "))"
                    + (request["note"]?.text.map { " \"\($0)\"" } ?? ""))
        }
    }

    private static func fits(_ request: JSON, _ command: String) -> Bool {
        let state = request["state"]?.text
        switch command {
        case "accept", "decline", "counter": return request["needs_answer"] == true
        case "cancel": return state == "open" && request["needs_answer"] != true
        case "force": return state == "stranded"
        case "receipt": return state == "final"
        default: return state == "open" || state == "agreed" || state == "stranded"
        }
    }

    private static func seats(_ who: JSON) -> [String] {
        (who["seats"]?.list ?? []).compactMap(\.text).filter { isPlain($0) }
    }

    private static func isOnly(_ who: JSON) -> Bool {
        who["ambiguous"] != true && who["confusable"] != true && who["alarming"] != true
            && who["reserved"] != true
    }

    private static func isTag(_ tag: String) -> Bool {
        tag.first == "#" && isPlain(String(tag.dropFirst()))
    }

    /// Letters, digits and `_ . -` inside: one word, and the same one, to every shell.
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
