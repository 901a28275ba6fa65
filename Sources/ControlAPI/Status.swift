// SPDX-License-Identifier: Apache-2.0
package import CivilTime
package import Text
package import Trips

/// The answer to `status`.
package struct AgentStatus: Codable, Hashable, Sendable {
    /// The user.
    package var me: Person
    /// Whether the key stands in for a lost one and claims nothing by itself.
    package var renewed: Bool
    /// The flight.
    package var flight: FlightFacts
    /// When seats can be swapped; `nil` for at any time.
    @OrNull package var window: WindowFacts?
    /// The layout in use, in its own form.
    package var cabin: JSON
    /// The layout that waits for the user's yes or no.
    @OrNull package var cabinAsked: LayoutQuestion?
    /// Where this agent listens and how it finds others.
    package var network: NetworkFacts
    /// Others who did not leave and are neither away nor at the meeting point alone.
    package var aboard: Int
    /// Others who did not leave and are out of reach, also through the meeting point.
    package var away: Int
    /// Others who are at the meeting point now, and to whom nothing else leads; missing where none
    /// is used.
    package var remote: Int?
    /// Those of them who are linked.
    package var linked: Int
    /// Seconds since the start while nobody is within reach.
    @OrNull package var alone: Int?
    /// Requests that are open or bind.
    package var requests: RequestCounts
    /// Who asks too often.
    @OrNull package var pressing: Pressing?
    /// Seconds for which strangers ask in vain.
    @OrNull package var silenced: Int?
    /// What others may ask for; missing from an agent of an earlier version.
    package var asks: Word<Asking>?
    /// Whose agents run on this computer, by seat; missing where nobody's does.
    package var guests: [Person]?
    /// The meeting point; missing where none is used.
    package var meeting: MeetingFacts?
    /// What was not taken.
    package var leftOut: LeftOut
    /// Messages that have not arrived.
    package var messagesWaiting: Int
    /// The records.
    package var log: LogFacts
    /// Where comparing codes stands.
    package var verification: Comparing
    /// Digest of the seat map.
    package var digest: String
    /// The command that makes most sense.
    package var next: String
    /// Version of the agent.
    package var agent: String
    /// The newest version that another agent says it runs, where that is newer.
    @OrNull package var newer: String?
    /// Name of the profile.
    package var profile: String
    /// Process number of the agent.
    package var pid: Int
    /// When the agent started.
    package var started: Stamp
    /// Whether this computer is kept from sleeping.
    package var awake: Bool
    /// Whether the agent runs until it is told to end.
    package var stays: Bool
    /// Else the seconds after its last view after which it ends.
    @OrNull package var linger: Int?

    /// Everything that `status` shows.
    package init(
        me: Person, renewed: Bool, flight: FlightFacts, window: WindowFacts?, cabin: JSON,
        cabinAsked: LayoutQuestion?, network: NetworkFacts, aboard: Int, away: Int,
        remote: Int? = nil, linked: Int,
        alone: Int?, requests: RequestCounts, pressing: Pressing?, silenced: Int?,
        asks: Word<Asking>? = nil, guests: [Person]? = nil, meeting: MeetingFacts? = nil,
        leftOut: LeftOut, messagesWaiting: Int,
        log: LogFacts,
        verification: Comparing,
        digest: String, next: String, agent: String, newer: String?, profile: String, pid: Int,
        started: Stamp, awake: Bool, stays: Bool, linger: Int?
    ) {
        self.me = me
        self.renewed = renewed
        self.flight = flight
        self.window = window
        self.cabin = cabin
        self.cabinAsked = cabinAsked
        self.network = network
        self.aboard = aboard
        self.away = away
        self.remote = remote
        self.linked = linked
        self.alone = alone
        self.requests = requests
        self.pressing = pressing
        self.silenced = silenced
        self.asks = asks
        self.guests = guests
        self.meeting = meeting
        self.leftOut = leftOut
        self.messagesWaiting = messagesWaiting
        self.log = log
        self.verification = verification
        self.digest = digest
        self.next = next
        self.agent = agent
        self.newer = newer
        self.profile = profile
        self.pid = pid
        self.started = started
        self.awake = awake
        self.stays = stays
        self.linger = linger
    }
}

/// The flight that the agent is on.
package struct FlightFacts: Codable, Hashable, Sendable {
    /// `FR202/2026-12-05/DUB`, or `practice`.
    package var name: String
    /// Airline and number.
    package var designator: String
    /// Whether it is the practice flight.
    package var practice: Bool
    /// The id that signatures cover.
    package var id: String
    /// Whether it has a cabin code.
    package var gated: Bool
    /// Names of the same flight by partners' numbers.
    package var aliases: [String]
    /// From when its records may go.
    @OrNull package var deleted: Stamp?

    /// The flight by its names and its id, and when its records go.
    package init(
        name: String, designator: String, practice: Bool, id: String, gated: Bool,
        aliases: [String], deleted: Stamp?
    ) {
        self.name = name
        self.designator = designator
        self.practice = practice
        self.id = id
        self.gated = gated
        self.aliases = aliases
        self.deleted = deleted
    }
}

/// Where the agent listens and how it finds others.
package struct NetworkFacts: Codable, Hashable, Sendable {
    /// So many of those that do not answer are examined: the first show what is wrong.
    package static let examined = 3

    /// The one interface in use; `nil` for all.
    @OrNull package var interface: String?
    /// Where peers reach it: `10.77.0.1:4000`.
    package var listening: [String]
    /// TCP port.
    package var port: Int
    /// Whether mDNS is used.
    package var mdns: Bool
    /// The name announced by mDNS.
    @OrNull package var label: String?
    /// Why people may not be found.
    @OrNull package var trouble: UserError?
    /// The network of agents around.
    package var mesh: MeshFacts
    /// Agents that do not answer.
    package var silent: [SilentPlace]
    /// Whether others find the venue that it announces; absent where it announces none.
    package var announced: Bool?
    /// The file into which the agent writes the secrets of its connections; absent where it writes
    /// none.
    package var keylog: String?

    /// Addresses and interface, what mDNS announces, and who does not answer.
    package init(
        interface: String?, listening: [String], port: Int, mdns: Bool, label: String?,
        trouble: UserError?, mesh: MeshFacts, silent: [SilentPlace], announced: Bool? = nil,
        keylog: String? = nil
    ) {
        self.interface = interface
        self.listening = listening
        self.port = port
        self.mdns = mdns
        self.label = label
        self.trouble = trouble
        self.mesh = mesh
        self.silent = silent
        self.announced = announced
        self.keylog = keylog
    }
}

/// The network of agents around.
package struct MeshFacts: Codable, Hashable, Sendable {
    /// Whether agents link with everybody.
    package var shape: Word<MeshShape>
    /// Agents known.
    package var known: Int
    /// Links of this agent.
    package var links: Int
    /// Links by how they were made.
    package var stages: LinkCounts
    /// Circuits carried for others.
    package var carrying: Int

    /// The shape of the mesh, and how many agents and links there are.
    package init(
        shape: Word<MeshShape>, known: Int, links: Int, stages: LinkCounts, carrying: Int
    ) {
        self.shape = shape
        self.known = known
        self.links = links
        self.stages = stages
        self.carrying = carrying
    }
}

/// Links by how they were made; stages without a link are left out.
package struct LinkCounts: Codable, Hashable, Sendable {
    /// How many of each, by the word for it.
    package let counts: [String: Int]

    /// Counted links.
    package init(_ counts: [LinkStage: Int]) {
        var named: [String: Int] = [:]
        for stage in LinkStage.allCases { named[stage.rawValue] = counts[stage] }
        self.counts = named
    }

    /// How many were made so.
    package subscript(stage: LinkStage) -> Int { counts[stage.rawValue] ?? 0 }

    /// All of them, by their words.
    package var sorted: [(word: String, count: Int)] {
        counts.sorted { $0.key < $1.key }.map { (word: $0.key, count: $0.value) }
    }

    package init(from decoder: any Decoder) throws {
        counts = (try JSON(from: decoder).members ?? [:]).compactMapValues(\.number)
    }

    package func encode(to encoder: any Encoder) throws {
        try JSON.object(counts.mapValues(JSON.int)).encode(to: encoder)
    }
}

extension LinkCounts: JSONKinded { package static var kind: JSONKind { .byWord(.number) } }

/// How many requests there are.
package struct RequestCounts: Codable, Hashable, Sendable {
    /// Those that wait for the user.
    package var `in`: Int
    /// Those of the user that wait for others.
    package var out: Int
    /// Agreed and being signed.
    package var agreed: Int
    /// Signed and without an outcome.
    package var stranded: Int

    /// Counts of requests, by what they wait for.
    package init(`in`: Int, out: Int, agreed: Int, stranded: Int) {
        self.in = `in`
        self.out = out
        self.agreed = agreed
        self.stranded = stranded
    }
}

/// Who asks too often: one passenger, or strangers together.
package struct Pressing: Codable, Hashable, Sendable {
    /// How often,
    package var times: Int
    /// within so many minutes.
    package var minutes: Int
    /// The one who does.
    package var who: Person?
    /// How many strangers, where it is not one.
    package var strangers: Int?

    /// So many requests within so many minutes, of `who` or of `strangers`.
    package init(times: Int, minutes: Int, who: Person? = nil, strangers: Int? = nil) {
        self.times = times
        self.minutes = minutes
        self.who = who
        self.strangers = strangers
    }
}

/// Of how many passengers something was not taken, because it was over their share.
package struct LeftOut: Codable, Hashable, Sendable {
    /// Records.
    package var logs: Int
    /// Messages.
    package var messages: Int

    /// Counts of passengers of whom records or messages were left out.
    package init(logs: Int, messages: Int) {
        self.logs = logs
        self.messages = messages
    }
}

/// The records that the agent has.
package struct LogFacts: Codable, Hashable, Sendable {
    /// Whether the user's log may be written.
    package var open: Bool
    /// Why not.
    package var why: String?
    /// Records known of all.
    package var entries: Int

    /// Whether the user's log may be written to, and how many records are known.
    package init(open: Bool, why: String? = nil, entries: Int) {
        self.open = open
        self.why = why
        self.entries = entries
    }
}

/// Where comparing codes with a passenger stands.
package struct Comparing: Codable, Hashable, Sendable {
    /// How far it is.
    package var state: Word<ComparingState>
    /// With whom.
    package var who: Person?
    /// Three numbers that both read aloud.
    package var code: String?

    /// The state of comparing, with whom, and the numbers if there are any.
    package init(state: Word<ComparingState>, who: Person? = nil, code: String? = nil) {
        self.state = state
        self.who = who
        self.code = code
    }
}

/// A layout that others agree on, and that waits for the user's yes or no.
package struct LayoutQuestion: Codable, Hashable, Sendable {
    /// The layout's name for commands.
    package var id: String
    /// The layout's name for people.
    package var name: String
    /// What distinguishes it from others of that name.
    package var hash: String
    /// Whether it comes with the program as it is.
    package var bundled: Bool
    /// Who suggests it.
    package var by: [Person]
    /// How many suggest a layout at all.
    package var voices: Int

    /// A question about the layout with that hash.
    package init(
        id: String, name: String, hash: String, bundled: Bool, by: [Person], voices: Int
    ) {
        self.id = id
        self.name = name
        self.hash = hash
        self.bundled = bundled
        self.by = by
        self.voices = voices
    }
}
