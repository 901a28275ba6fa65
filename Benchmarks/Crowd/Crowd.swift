import Glibc
import Protocol

/// Measures one agent's core among 850 passengers (protocol.md 10.3): what it weighs, what it takes
/// to keep up, and what it takes to catch up. With the argument `subject` it is that agent.
@main
enum Crowd {
    static let passengers = 850
    static let entriesEach = 60
    /// Simulated seconds of a flight in full swing.
    static let span = 300

    static func main() {
        if CommandLine.arguments.dropFirst().first == "subject" {
            exit(Subject.serve(Pipe(input: STDIN_FILENO, output: STDOUT_FILENO)))
        }
        signal(SIGPIPE, SIG_IGN)
        guard var cabin = Cabin(passengers: passengers) else { fail("no cabin") }
        cabin.fill(entriesEach)
        guard var journey = Journey(cabin, program: "/proc/self/exe") else { fail("no agent") }
        let report = Report(measure(&journey))
        journey.subject.finish()
        report.show()
        exit(report.isGood ? 0 : 1)
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
