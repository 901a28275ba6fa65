// SPDX-License-Identifier: Apache-2.0
import Bookings
import ControlAPI
import Glibc
import Protocol
import System
import Text
import Venues

/// `seatagent desk up --instead`: begins a new ledger where the desk before is lost, behind what
/// the agents here know of its ledger.
struct DeskTakeover {
    private let call: Invocation
    private let known: VenueAgent
    /// The file with the operator's key.
    private let key: String

    /// Seconds for which others are looked for, unless `--timeout` says otherwise.
    private static let patience = 20
    /// How long nothing more of the ledger comes when all of it is here.
    private static let quiet = TimeSpan.seconds(2)

    init(_ call: Invocation, _ known: VenueAgent, _ key: String) {
        self.call = call
        self.known = known
        self.key = key
    }

    /// Takes over. Returns the desk; `nil` if the user says no.
    func run() throws(UserError) -> VenueAgent? {
        let wasRunning = try known.status() != nil
        let (agent, desk, linked) = try gathered()
        let found: DeskSightFacts?
        do throws(UserError) {
            found = try wanted(desk, linked)
        } catch {
            if !wasRunning { try agent.end() }
            throw error
        }
        guard let desk = found else {
            if !wasRunning { try agent.end() }
            return nil
        }
        try agent.end()
        return try agent.begin(
            desk.epoch + 1, announcing: agent.later == nil && !call.line.has("no-mdns"), desk: key
        ).agent
    }

    private var slug: String { ShellWord.quoted(known.venue.slug) }

    /// The agent once it knows the ledger of the earlier desk as far as those who are linked do, or
    /// when time is up.
    private func gathered() throws(UserError) -> (VenueAgent, DeskSightFacts?, linked: Int) {
        let end = call.deadline(standard: Self.patience) ?? SystemClock.now()
        var (agent, status) = (known, try known.status())
        if status == nil { (agent, status) = try known.begin(0, announcing: false, desk: nil) }
        var (desk, linked) = (DeskSightFacts?.none, 0)
        var (pages, since) = (0, SystemClock.now())
        while true {
            desk = try agent.ask(Op.Bookings()).reply.desk
            linked = try agent.status()?.linked ?? 0
            if desk?.pages ?? 0 != pages { (pages, since) = (desk?.pages ?? 0, SystemClock.now()) }
            let isQuiet = since + Self.quiet <= SystemClock.now()
            if desk != nil, linked > 0, isQuiet { break }
            if SystemClock.now() >= end { break }
            usleep(100_000)
        }
        return (agent, desk, linked)
    }

    /// The earlier desk, if there is one and the user says yes.
    private func wanted(_ desk: DeskSightFacts?, _ linked: Int) throws(UserError) -> DeskSightFacts?
    {
        guard let desk else {
            throw UserError(
                .notAllowedNow, "no earlier desk of \(known.venue.slug) is known here",
                why: linked == 0
                    ? "nobody is linked who could know it"
                    : "of \(people(linked)) linked nobody knows one",
                advice: "seatagent desk up \(slug)")
        }
        let lines = [
            "The ledger of the desk \(desk.who.tag) is known here up to page \(desk.pages); "
                + "\(linked == 0 ? "nobody is" : people(linked) + (linked == 1 ? " is" : " are")) "
                + "linked.",
            "A new one begins behind it. What that desk wrote later counts for nobody, and what "
                + "turns up of it is listed here. End that desk first, if it still runs.",
        ]
        if call.line.has("yes") { return desk }
        guard call.mayAsk else {
            throw UserError(
                .usage, "nothing is taken over without a yes", why: lines[0],
                advice: "seatagent desk up \(slug) --instead --yes")
        }
        for line in lines { call.say(line) }
        guard call.confirm("Take over?") else {
            call.hint("Nothing was changed.")
            return nil
        }
        return desk
    }

    private func people(_ count: Int) -> String { "\(count) \(count == 1 ? "agent" : "agents")" }
}
