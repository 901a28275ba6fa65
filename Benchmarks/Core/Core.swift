// SPDX-License-Identifier: Apache-2.0
import Keys
import Glibc
import Protocol
import ProtocolTestKit
import Transport

/// Measures the agent's core beside what the machine allows: rows 3 to 6 and 13 of `make bench`.
///
///     core chat FOLDER ROUNDS     a line to 191 passengers, and one check and one commit alone
///     core join FOLDER ROUNDS     a late joiner, and the signature checks alone
///     core map ROUNDS             the fold, and one more entry
///     core match ROUNDS           proposals for parties, among 192 and 850 people
///     core codec ROUNDS           an entry from bytes and to bytes
///     core entry                  that entry in hexadecimal, for other decoders
///     core decode COUNT           decodes it so often, for those who count allocations
///     core count WHAT             does one piece of work in `counted`, for callgrind
@main
enum Core {
    static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        switch (words.first, words.count) {
        case ("chat", 3): ChatRow.measure(folder: words[1], rounds: number(words[2]))
        case ("join", 3): JoinRow.measure(folder: words[1], rounds: number(words[2]))
        case ("map", 2): MapRow.measure(rounds: number(words[1]))
        case ("match", 2): MatchRow.measure(rounds: number(words[1]))
        case ("codec", 2): CodecRow.measure(rounds: number(words[1]))
        case ("entry", 1): print(hexadecimal(CodecRow.sample().entry.bytes))
        case ("decode", 2): CodecRow.decode(number(words[1]))
        case ("count", 2): count(words[1])
        default: fail("usage: core chat|join FOLDER ROUNDS, map|match|codec ROUNDS, count WHAT")
        }
    }

    private static func number(_ word: String) -> Int {
        guard let number = Int(word), 0...1_000_000 ~= number else { fail("\(word): no number") }
        return number
    }

    private static func count(_ what: String) {
        switch what {
        case "join": JoinRow.count()
        case "line": LineRow.count()
        case "claim": MatchRow.countClaim()
        case "grant": BookRow.countGrants()
        case "fold": MapRow.countFold()
        case "more": MapRow.countMore()
        case "decode": CodecRow.countDecode()
        case "encode": CodecRow.countEncode()
        default: fail("nothing to count is called \(what)")
        }
    }

    /// A cabin with so many passengers.
    static func cabin(_ passengers: Int) -> Cabin {
        let cabin = Cabin(passengers: passengers, primitives: primitives) { Identity(seed: $0) }
        guard let cabin else { fail("no cabin") }
        return cabin
    }

    /// Real cryptography.
    static let primitives: AgentPrimitives = {
        guard let primitives = AgentPrimitives() else { fail("no libsodium") }
        return primitives
    }()
}
