// SPDX-License-Identifier: Apache-2.0
import Simulation

/// What the command line asks for.
struct Arguments {
    /// What is done.
    enum Verb {
        /// Runs these seeds, until all are done or the time is over.
        case run(ClosedRange<UInt64>)
        /// Runs one seed and prints what happened.
        case replay(UInt64)
        /// Makes a failing seed smaller and prints what happened.
        case minimise(UInt64)
        /// Writes the random ledgers of these seeds, and the books that they come to.
        case books(ClosedRange<UInt64>, folder: String)
        /// Runs these seeds of a venue, until all are done or the time is over.
        case desks(ClosedRange<UInt64>)
        /// Runs one seed of a venue and prints what happened.
        case replayDesk(UInt64)
        /// Makes a failing seed of a venue shorter and prints what happened.
        case minimiseDesk(UInt64)
        /// Runs these seeds, each a whole day, until all are done or the time is over.
        case days(ClosedRange<UInt64>)
        /// Prints how to use this.
        case help
    }

    var verb = Verb.run(1...1000)
    var options = SimOptions()
    /// Whether all seeds are of venues.
    var isOfDesks = false
    /// The same for venues.
    var desks = DeskOptions()
    /// Seconds of real time at most.
    var limit = Int.max
    /// Where the digest of every seed goes.
    var digests: String?
    /// Where the logs of a host of every seed go, and what it made of them.
    var bundles: String?
    /// Failures after which it stops.
    var failures = 20

    struct Mistake: Error { let text: String }

    static let usage = """
        seatsim [--seeds 1..1000] [--minutes 5]     run seeds until done or the time is over
        seatsim --seed 17 [--trace]                 run one seed; --trace prints every event
        seatsim --minimise 17                       find a smaller run that fails in the same way
        seatsim --seeds 1..3000 --books FOLDER      write random ledgers and what they come to
        seatsim --desks [--seeds | --seed | --minimise ...]   the same of a venue and its desk

          --agents 5            that many passengers instead of 2 to 24
          --seconds 20          that long a time of trouble, in simulated seconds
          --deeds 10            people do so many things at most
          --fault loss=100      a fault happens in so many of a hundred seeds (0: never)
          --only loss,crash     these faults in every seed, and no others; also with --desks,
                                and there of --fault and --without no more than this
          --without chat,leave  people do not do these things
          --plans               people look for swaps in every seed
          --meet                people meet at brokers before the flight, in every seed
          --days                whole days from home to arrival with plans, a meeting point and
                                hostile keys; one in four in a venue with a desk
          --failures 20         stop after so many failures
          --digests FILE        write a line for each seed: its number and its digest
          --bundles FOLDER      write what a host of each seed knew: SEED.bundle, SEED.words

        """

    init(_ words: [String]) throws(Mistake) {
        var rest = words[...]
        var seed: UInt64?
        var books: String?
        isOfDesks = words.contains("--desks")
        while let word = rest.popFirst() {
            switch word {
            case "--help", "-h": verb = .help
            case "--trace": options.isTraced = true
            case "--plans": options.plans = true
            case "--meet": options.meet = true
            case "--days": (options.days, desks.days) = (true, true)
            case "--desks": break
            case "--seeds": verb = .run(try Self.range(try Self.value(word, &rest)))
            case "--seed": seed = try Self.number(word, &rest)
            case "--minimise": verb = .minimise(try Self.number(word, &rest))
            case "--minutes": limit = 60 * Int(try Self.number(word, &rest))
            case "--wall": limit = Int(try Self.number(word, &rest))
            case "--agents": options.agents = Int(try Self.number(word, &rest))
            case "--seconds": options.seconds = Int(try Self.number(word, &rest))
            case "--deeds": options.deeds = Int(try Self.number(word, &rest))
            case "--failures": failures = Int(try Self.number(word, &rest))
            case "--digests": digests = try Self.value(word, &rest)
            case "--books": books = try Self.value(word, &rest)
            case "--bundles":
                bundles = try Self.value(word, &rest)
                options.isKept = true
            case "--only" where isOfDesks: try chooseDesk(try Self.value(word, &rest))
            case "--fault", "--only", "--without":
                try choose(word, try Self.value(word, &rest))
            default: throw Mistake(text: "there is no option \(word)")
            }
        }
        if let seed { verb = .replay(seed) }
        if let books, case .run(let seeds) = verb { verb = .books(seeds, folder: books) }
        (desks.deeds, desks.isTraced) = (options.deeds, options.isTraced)
        if isOfDesks { turnToDesks() } else if options.days { turnToDays() }
    }

    /// Each seed is a day, of a flight or in a venue.
    private mutating func turnToDays() {
        switch verb {
        case .run(let seeds): verb = .days(seeds)
        case .replay(let seed) where DayLife.isInVenue(seed): verb = .replayDesk(seed)
        case .minimise(let seed) where DayLife.isInVenue(seed): verb = .minimiseDesk(seed)
        case .replay, .minimise, .books, .desks, .replayDesk, .minimiseDesk, .days, .help: break
        }
    }

    /// What is asked for is asked of venues.
    private mutating func turnToDesks() {
        switch verb {
        case .run(let seeds): verb = .desks(seeds)
        case .replay(let seed): verb = .replayDesk(seed)
        case .minimise(let seed): verb = .minimiseDesk(seed)
        case .books, .desks, .replayDesk, .minimiseDesk, .days, .help: break
        }
    }

    private mutating func chooseDesk(_ value: String) throws(Mistake) {
        var faults: [DeskFault] = []
        for name in value.split(separator: ",") where name != "none" {
            guard let fault = DeskFault(String(name)) else {
                throw Mistake(
                    text: "there is no fault \(name) of a desk; there are: "
                        + DeskFault.allCases.map(\.name).joined(separator: " "))
            }
            faults.append(fault)
        }
        desks.faults = faults
    }

    private mutating func choose(_ word: String, _ value: String) throws(Mistake) {
        if word == "--only" {
            for kind in FaultKind.allCases { options.faults[kind] = 0 }
            for fault in MeetFault.allCases { options.meetFaults[fault] = 0 }
        }
        for name in value.split(separator: ",") where name != "none" {
            let parts = name.split(separator: "=")
            let label = String(parts.first ?? "")
            if word == "--without" {
                guard let kind = HumanKind(label) else {
                    throw Mistake(text: "people do not do \(label)")
                }
                options.humans.remove(kind)
                continue
            }
            if let fault = MeetFault(label) {
                options.meetFaults[fault] = parts.count == 2 ? Int(parts[1]) ?? 100 : 100
                continue
            }
            guard let kind = FaultKind(label) else {
                throw Mistake(
                    text: "there is no fault \(label); there are: "
                        + FaultKind.allCases.map(\.name).joined(separator: " ")
                        + ", with --meet " + MeetFault.allCases.map(\.name).joined(separator: " "))
            }
            options.faults[kind] = parts.count == 2 ? Int(parts[1]) ?? 100 : 100
        }
    }

    private static func value(
        _ word: String, _ rest: inout ArraySlice<String>
    ) throws(Mistake) -> String {
        guard let value = rest.popFirst() else { throw Mistake(text: "\(word) wants a value") }
        return value
    }

    private static func number(
        _ word: String, _ rest: inout ArraySlice<String>
    ) throws(Mistake) -> UInt64 {
        guard let number = UInt64(try value(word, &rest)), number < 1 << 40 else {
            throw Mistake(text: "\(word) wants a number")
        }
        return number
    }

    private static func range(_ text: String) throws(Mistake) -> ClosedRange<UInt64> {
        let parts = text.split(separator: ".").compactMap { UInt64($0) }
        guard parts.count == 2, parts[0] <= parts[1] else {
            throw Mistake(text: "--seeds wants a range as 1..1000")
        }
        return parts[0]...parts[1]
    }
}
