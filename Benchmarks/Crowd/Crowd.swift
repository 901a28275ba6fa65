// SPDX-License-Identifier: Apache-2.0
import Glibc
import Protocol
import ProtocolTestKit
import Transport

/// Measures one agent's core among 850 passengers (docs/performance.md): what it weighs, what it
/// takes to keep up, and what it takes to catch up.
///
///     crowd                                850 passengers, with limits
///     crowd growth PASSENGERS SECONDS      bytes and processor of one of so many, for `make bench`
///     crowd records PASSENGERS ENTRIES AUTH    so many entries of each, one a line in hexadecimal
///     crowd subject                        the agent under test, which the others start
@main
enum Crowd {
    static let passengers = 850
    static let entriesEach = 60
    /// Simulated seconds of a flight in full swing.
    static let span = 300

    static func main() {
        signal(SIGPIPE, SIG_IGN)
        let words = Array(CommandLine.arguments.dropFirst())
        switch words.first {
        case nil: limits()
        case "subject": exit(Subject.serve(Pipe(input: STDIN_FILENO, output: STDOUT_FILENO)))
        case "growth" where words.count == 3:
            guard let count = Int(words[1]), let span = Int(words[2]), count >= 2, span > 0 else {
                fail("two numbers are wanted")
            }
            growth(count, span)
        case "records" where words.count == 4:
            guard let count = Int(words[1]), let entries = Int(words[2]),
                let auth = bytes(hexadecimal: words[3]).flatMap({ Bytes32($0) })
            else { fail("two numbers and 64 digits are wanted") }
            records(count, entries, auth)
        default: fail("no such words")
        }
    }

    /// Passengers with real keys.
    private static func cabin(_ passengers: Int, _ auth: Bytes32? = nil) -> Cabin? {
        SodiumPrimitives().flatMap { primitives in
            Cabin(passengers: passengers, auth: auth, primitives: primitives) {
                Identity(seed: $0)
            }
        }
    }

    private static func limits() {
        guard var cabin = cabin(passengers) else { fail("no cabin") }
        cabin.fill(entriesEach)
        guard var journey = Journey(cabin, program: "/proc/self/exe") else { fail("no agent") }
        let report = Report(measure(&journey))
        journey.subject.finish()
        report.show()
        exit(report.isGood ? 0 : 1)
    }

    /// One of `count` passengers for `span` seconds, once links and records have settled.
    private static func growth(_ count: Int, _ span: Int) {
        guard var cabin = cabin(count - 1) else { fail("no cabin") }
        cabin.fill(4)
        guard var journey = Journey(cabin, program: "/proc/self/exe") else { fail("no agent") }
        let before = journey.cabin.written
        journey.run(until: 600 * Journey.second) { $0.stored >= before }
        check(journey, "catch up")
        journey.run(until: journey.clock + 60 * Journey.second)
        let weight = weigh(journey)
        journey.reset()
        journey.enliven()
        journey.speak()
        journey.run(until: journey.clock + span * Journey.second)
        let hours = Double(span) / 3600
        let (traffic, spent) = (journey.traffic, Double(journey.spent) / 1e6)
        print("entries \(Double(journey.cabin.written - before) / hours) an-hour")
        print("in \(Double(traffic.inward) / hours) B/h")
        print("out \(Double(traffic.outward) / hours) B/h")
        print("handshakes \(Double(traffic.handshakes) / hours) B/h")
        for kind in traffic.kinds.keys.sorted() {
            print("kind-\(kind) \(Double(traffic.kinds[kind] ?? 0) / hours) B/h")
        }
        print("processor \(spent / hours) ms/h")
        print("links \(journey.openLinks) links")
        print("resident \(Double(weight.resident) * 1024 / 1e6) MB")
        journey.isLively = false
        let all = journey.cabin.written
        journey.run(until: journey.clock + 60 * Journey.second) { $0.stored >= all }
        check(journey, "keep up")
        journey.subject.finish()
    }

    private static func records(_ count: Int, _ entries: Int, _ auth: Bytes32) {
        guard var cabin = cabin(count, auth) else { fail("no cabin") }
        cabin.fill(entries)
        for log in cabin.logs.logs {
            for entry in log.entries { print(hexadecimal(entry.bytes)) }
        }
    }

    private static func measure(_ journey: inout Journey) -> Measures {
        var measures = Measures()
        let before = journey.cabin.written
        measures.before = before
        journey.run(until: 600 * Journey.second) { $0.stored >= before }
        check(journey, "catch up")
        measures.catchUpTime = journey.clock
        measures.catchUpSpent = journey.spent
        measures.catchUpLongest = journey.longest
        measures.catchUpBytes = journey.bytesIn
        // The links find their shape.
        journey.run(until: journey.clock + 60 * Journey.second)
        measures.fresh = weigh(journey)
        measures.links = journey.openLinks
        journey.reset()
        journey.enliven()
        journey.run(until: journey.clock + span * Journey.second)
        journey.isLively = false
        measures.spent = journey.spent
        measures.longest = journey.longest
        measures.bytesIn = journey.bytesIn
        measures.bytesOut = journey.bytesOut
        measures.written = journey.cabin.written - before
        // The last entry is pushed, or heard of and asked for.
        let all = journey.cabin.written
        journey.run(until: journey.clock + 60 * Journey.second) { $0.stored >= all }
        check(journey, "keep up")
        measures.full = weigh(journey)
        let map = Fold.fold(journey.cabin.logs)
        measures.ownMap = map.tokens.count
        return measures
    }

    private static func check(_ journey: Journey, _ what: String) {
        for trouble in journey.troubles.prefix(5) { print("trouble: \(trouble)") }
        guard journey.troubles.isEmpty, journey.stored >= journey.cabin.written else {
            fail("the agent did not \(what): \(journey.stored) of \(journey.cabin.written)")
        }
    }

    private static func weigh(_ journey: Journey) -> Scale {
        guard let scale = journey.subject.weigh(at: journey.clock) else { fail("the agent died") }
        return scale
    }

    private static func fail(_ why: String) -> Never {
        print("crowd: \(why)")
        exit(1)
    }
}
