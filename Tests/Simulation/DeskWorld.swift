// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit

/// What a world reported: rules that cores broke, and disks that would not take something.
final class DeskFindings {
    var lines: [String] = []
}

/// An ask of somebody, as long as it is open for them.
struct DeskAsked {
    let host: Int
    let id: Bytes32
    let until: UTCTime
    /// Its author took it back: no answer is owed.
    var isTakenBack = false
}

/// A venue in made-up time: its desk is host 0, members are 1 and on, and behind them may stand a
/// second desk and a liar. All of it, and all that happens, comes from one seed.
package struct DeskWorld {
    let seed: UInt64
    let options: DeskOptions
    let profile: DeskProfile
    let findings = DeskFindings()
    var world: World
    var random: SeededRandom
    var mixer: Mixer
    var totals = DeskTotals()
    var trace: [String] = []
    var failure: Failure?

    var asked: [DeskAsked] = []
    /// Every booking that any honest agent saw, in the order in which they were seen.
    var seen: [Mint] = []
    var seenTokens: Set<Token> = []
    /// The last book of each host, for what must not change.
    var books: [Book?] = []
    /// Grants that the desk's people wrote although they break its rules.
    var voids: [Token] = []
    /// When who is down starts again.
    var down: [Instant?] = []
    /// An older copy of the desk's disk.
    var copy: FakeDisk?
    var rival: Int?
    var liar: Int?
    /// Hostile keys, each with a program of its own.
    var hostile: [Int] = []
    /// When the present partition ends.
    var partedUntil: Instant?
    var slowUntil = Instant.zero
    /// Whether a grant that somebody saw may be lost without an error of ours.
    var isDisturbed = false
    /// Whether the last copy put back went unnoticed by the desk's people.
    var hasForked = false

    /// Eight in the morning of the venue's first day, by UTC.
    static let opens = UTCTime(seconds: 946_684_800 + 9000 * 86_400 + 8 * 3600)

    /// The hosts that keep to the rules.
    var honest: Range<Int> { 0..<profile.members + 1 }

    /// One life, from its seed.
    package static func run(seed: UInt64, _ options: DeskOptions = DeskOptions()) -> DeskOutcome {
        do {
            var life = try DeskWorld(seed: seed, options)
            try life.live()
            return life.outcome
        } catch {
            let failure = Failure(
                seed: seed, rule: "setup", text: "\(error)", milliseconds: 0)
            return DeskOutcome(digest: 0, failure: failure, totals: DeskTotals(), trace: [])
        }
    }

    private init(seed: UInt64, _ options: DeskOptions) throws {
        self.seed = seed
        self.options = options
        profile = DeskProfile(seed: seed, options)
        random = SeededRandom(seed: seed)
        mixer = Mixer(seed)
        let findings = findings
        world = World { findings.lines.append($0) }
        world.now.utc = Self.opens
        try addDesk()
        for _ in 0..<profile.members { try addHost() }
        flow(3000)
        for number in 1...profile.members where number <= profile.noted {
            let klass = number % 3 == 0 ? 1 : 0
            want(.member(number: number, class: klass, key: world.key(number)))
        }
    }

    private var outcome: DeskOutcome {
        var totals = totals
        totals.seeds = 1
        totals.disturbed = isDisturbed ? 1 : 0
        return DeskOutcome(digest: mixer.word, failure: failure, totals: totals, trace: trace)
    }

    // MARK: Hosts

    /// Adds a desk of the first epoch, with a charter of its own.
    mutating func addDesk() throws {
        var setup = MadeUpVenue.setup()
        let clock = try require(VenueClock(first: 0))
        setup.clock = clock
        setup.desk = DeskTerms(policy: Self.policy, clock: clock)
        setup.charter = Charter(
            epoch: 1, revision: 1, rules: try SmallVenue.rules(), words: .zero, before: [],
            ledger: FakeSigner(UInt8(world.hosts.count + 1)).key,
            gathering: MadeUpVenue.gathering.id, by: MadeUpVenue.runBy)
        world.venue = setup
        try addHost()
        world.venue?.charter = nil
        world.venue?.desk = nil
    }

    /// Adds somebody who is no desk.
    mutating func addHost() throws {
        try world.add("1A")
        books.append(nil)
        down.append(nil)
    }

    /// What the desk offers: every place from 8 to 22, by the hour.
    private static let policy: DeskPolicy = {
        let hours = (0..<3).map { day in
            1440 * (9000 + day) + 8 * 60..<1440 * (9000 + day) + 22 * 60
        }
        var policy = DeskPolicy(
            places: (1...5).map {
                DeskPolicy.Place(number: $0, grain: 60, most: 180, hours: hours)
            })
        policy.waiting = true
        policy.cancel = 120
        return policy
    }()

    // MARK: Life

    private mutating func live() throws {
        for deed in 0..<profile.deeds where failure == nil {
            switch below(10) {
            case 0...5: act(1 + below(profile.members))
            case 6, 7: try strike()
            case 8: serveDesk()
            default: break
            }
            answerRequests()
            operate()
            flow(1 + Int64(below(2 * profile.pace)))
            revive()
            look()
            if deed % 10 == 9 { _ = compareAll() }
        }
        if failure == nil { recover() }
        if failure == nil { judge() }
        if let line = findings.lines.first { fail("core", line) }
    }

    /// Time passes; what is under way arrives in any order, or late.
    mutating func flow(_ milliseconds: Int64) {
        let end = world.now.instant + .milliseconds(milliseconds)
        while world.now.instant < end {
            let isSlow = slowUntil > world.now.instant
            for _ in 0..<(isSlow ? below(4) : 400) {
                guard world.deliver(any: &random) else { break }
                totals.arrivals += 1
            }
            let step = min(
                TimeSpan.milliseconds(Int64(20 + below(180))), end - world.now.instant)
            let passed = world.now.instant + step - Instant.zero
            let seconds = Self.opens.seconds + passed.wholeSeconds
            world.pass(step, utc: UTCTime(seconds: seconds))
            if let until = partedUntil, until <= world.now.instant { heal() }
        }
    }

    // MARK: Small things

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<max(bound, 1), using: &random) }

    /// The people at the desk want something of it; what came of it.
    @discardableResult
    mutating func want(_ intent: DeskIntent) -> Result<IntentReply, Refusal>? {
        world.wish(0, .desk(intent))
    }

    /// Something that a person who replays a seed wants to read. It is in the digest too.
    mutating func note(_ text: String) {
        mixer.add(text)
        guard options.isTraced else { return }
        trace.append("\((world.now.instant - .zero).nanoseconds / 1_000_000) ms: \(text)")
    }

    /// A rule did not hold; the first one is told.
    mutating func fail(_ rule: String, _ text: String) {
        guard failure == nil else { return }
        let passed = (world.now.instant - .zero).nanoseconds / 1_000_000
        failure = Failure(seed: seed, rule: rule, text: text, milliseconds: Int(passed))
    }
}

extension Result<IntentReply, Refusal> {
    /// Whether it is done.
    var isDone: Bool { if case .success = self { true } else { false } }
}
