// SPDX-License-Identifier: Apache-2.0
/// Every limit of the protocol: its number and its reason, in one place.
package enum Limits {
    // Frames

    /// Bytes of a frame before HELLO_ACK: a stranger gets 4 KiB.
    package static let frameBeforeHello = 4 * 1024
    /// Bytes of a frame after HELLO_ACK.
    package static let frame = 64 * 1024
    /// Bytes of one slice of bulk, so that a vote never waits behind more than this.
    package static let bulkSlice = 16 * 1024

    /// The minor version spoken; ALPN holds the major.
    package static let minor = 0

    // CBOR

    /// Items in one CBOR text: bounds the work that one frame can cause.
    package static let cborItems = 4096
    /// Arrays and maps inside each other, the outermost included: a wish has five.
    package static let cborDepth = 8

    // Entries

    /// Bytes of one entry: a commit of 8 parties and 16 legs needs about 9 KiB.
    package static let entry = 16 * 1024
    /// Bytes of UTF-8 in a chat line, a direct message or a note.
    package static let chatText = 2 * 1024
    /// Types that an entry may have, known here or not.
    package static let entryTypes = 0...31
    /// Types that belong to later agents: well formed with any array, as are 18 and 19.
    package static let laterTypes = 18...31
    /// Earlier lines that a chat line names. More would not change what people see.
    package static let chatAfter = 3
    /// Ends of the chat that are remembered. A line names the latest three.
    package static let chatEnds = 64
    /// How long chat lines wait for missing ones, so that people read them in order. An answer
    /// takes less time, and a peer who never answers delays nobody for longer.
    package static let chatHold = TimeSpan.seconds(2)
    /// The same wait before the first line is reported. In that time a newcomer links with a full
    /// mesh, and so reads all talk in order.
    package static let firstChatHold = TimeSpan.seconds(5)
    /// A line is marked as late if it was said more seconds than this before a line already
    /// reported. A delivery takes less.
    package static let lateLine: Int64 = 5
    /// A line is marked if the time that it states is more seconds than this after its arrival.
    /// Clocks in a cabin differ by less.
    package static let clockAhead: Int64 = 120
    /// Bytes of UTF-8 in a passenger's name.
    package static let name = 48
    /// Bytes of UTF-8 in a note of a proposal or a decline.
    package static let note = 200
    /// Bytes of UTF-8 in the text of a CLOSE.
    package static let closeText = 128
    /// Entries of one author: seq 1...4096.
    package static let entriesPerAuthor = 4096
    /// Bytes of one author's log.
    package static let bytesPerAuthor = 4 * 1024 * 1024
    /// Claims that one author may ever make.
    package static let claimsPerAuthor = 32
    /// Claims that one author may hold at once: the largest booking.
    package static let liveClaims = 9
    /// Authors of one flight.
    package static let authors = 1024
    /// Places reserved for passengers with whom this agent had a session, so that a peer
    /// who makes up authors cannot use up the flight. The rest is enough for 850
    /// passengers who were never met.
    package static let authorsKept = 128
    /// Authors that one peer may introduce at once. Together with ``newcomersPerSecond`` this lets
    /// a neighbour introduce 850 passengers in seven minutes, and eight neighbours in one.
    package static let newcomers = 16
    /// See ``newcomers``.
    package static let newcomersPerSecond = 2
    /// Introducing keys whose pace is remembered.
    package static let introducers = 256

    // Shares

    /// Bytes of each author's log that are always kept, whatever others write: enough for a name, a
    /// seat, some swaps and fifty lines. For 1024 authors that is 16 MiB.
    package static let logShare = 16 * 1024
    /// Bytes beyond ``logShare``, shared by all authors for whom the user did nothing. With indexes
    /// and tables, memory and disk each stay below 40 MB, whoever writes.
    package static let logPool = 8 * 1024 * 1024
    /// A stranger takes at most one part in this many of what is left of the pool.
    package static let strangerPart = 256
    /// The same for a linked author: 128 KiB for the first, and half of that after 44
    /// who took all they could.
    package static let linkedPart = 64
    /// The same for entries up to a vote that somebody's certificate shows.
    package static let neededPart = 32
    /// Less capacity than this counts as none, so that nobody is asked for crumbs again and again.
    package static let shareCrumb = 1024
    /// How often the agent checks whether an author who was over their share has capacity now.
    package static let shareAgain = TimeSpan.seconds(2)
    /// How long until a log that a neighbour lacks is announced to them again: they may
    /// take no more of that author.
    package static let announceAgain = TimeSpan.seconds(5 * 60)

    // Contracts

    /// Parties of a contract.
    package static let parties = 2...8
    /// Legs of a contract.
    package static let legs = 2...16
    /// Sets of seats that a wish may rank: people name two or three.
    package static let ranks = 4
    /// Blocks of one set: a wide-body's window seats take nine.
    package static let seatBlocks = 16
    /// Bytes of a sealed line of a party: a chat line, what seals it and room for what it is.
    package static let sealedTalk = 17...2200

    /// Bytes of a contract: 8 parties and 16 legs need about 2.6 KiB.
    package static let contract = 4 * 1024
    /// Revisions of one negotiation.
    package static let revisions = 64

    // Lists in messages

    /// Stretches in a WANT, and items in a HAVE.
    package static let stretches = 64
    /// Entries in one ENTRIES.
    package static let entriesPerFrame = 64
    /// Entries in a VOTE: the vote, after entries that its reader may lack.
    package static let voteSuffix = 32
    /// Hints in one PEX.
    package static let hints = 64
    /// Bytes of a numeric host in a hint.
    package static let hostText = 45
    /// Intents that wait for catch-up.
    package static let waitingIntents = 64

    // Flow

    /// Bytes of entries that may be asked for and not yet received on one connection.
    package static let wantBudget = 256 * 1024
    /// Bytes of pushed entries that may be queued on one connection.
    package static let pushCredit = 64 * 1024
    /// Frames waiting in the queue of control and negotiation.
    package static let controlQueue = 64
    /// Frames waiting in the queue of direct messages.
    package static let messageQueue = 64
    /// Bytes waiting in the bulk queue.
    package static let bulkQueue = 1024 * 1024
    /// Bytes handed to the socket and not yet taken by the kernel.
    package static let inFlight = 64 * 1024
    /// Entries per second and connection, sustained.
    package static let entriesPerSecond = 200
    /// Entries in one burst per connection.
    package static let entryBurst = 2000
    /// Other frames per second and connection, sustained: an honest peer announces at most 20 times
    /// a second, and asks as often; what else it says comes from what people do.
    package static let requestsPerSecond = 100
    /// The same in one burst: what two agents with much in common tell each other at first.
    package static let requestBurst = 200

    // Time

    /// From the TLS handshake to HELLO_ACK.
    package static let helloTime = TimeSpan.seconds(5)
    /// A PING after this long without a byte sent: two before ``deadAfter``.
    package static let pingAfter = TimeSpan.seconds(20)
    /// Dead after this long without a byte received.
    package static let deadAfter = TimeSpan.seconds(45)
    /// The mean between two rounds of anti-entropy; jittered by half.
    package static let antiEntropy = TimeSpan.seconds(30)
    /// How long an announcement waits for more of its kind.
    package static let announceAfter = TimeSpan.milliseconds(50)...TimeSpan.milliseconds(200)
    /// How long the fold may wait for the rest of an answer that comes in slices: nobody notices,
    /// and a late joiner of a large flight folds a hundred times instead of a thousand.
    package static let foldAfter = TimeSpan.milliseconds(250)
    /// The same while a peer has more than ``behind`` entries more: a late joiner sees the map fill
    /// every second, and folds everything a third as often.
    package static let foldWhileBehind = TimeSpan.seconds(1)
    /// Entries that are not here yet, see ``foldWhileBehind``.
    package static let behind = 64
    /// A WANT without a complete answer after this long is sent again.
    package static let wantTime = TimeSpan.seconds(15)
    /// How long an agent looks for entries of its own log at others after a start, before it
    /// appends (docs/protocol.md section 10).
    package static let catchUp = TimeSpan.seconds(5)
    /// The longest such wait, if a peer said that they have more of the log.
    package static let catchUpMost = TimeSpan.seconds(30)
    /// How long the other side waits for the smaller label to dial (docs/protocol.md section 3).
    package static let dialGrace = TimeSpan.seconds(3)
    /// How much longer it may wait, by chance.
    package static let dialSpread = TimeSpan.seconds(2)
    /// First and largest wait between two dials of one peer; full jitter.
    package static let backoff = TimeSpan.seconds(1)...TimeSpan.seconds(60)
    /// A connection that lasted this long resets the backoff.
    package static let stableAfter = TimeSpan.seconds(60)
    /// How long a peer is refused who sent what no honest agent sends (section 7).
    package static let penalty = TimeSpan.seconds(10 * 60)
    /// Keys at fault that make the whole address rest, while others use it (section 7).
    package static let faultyKeysOfAnAddress = 3
    /// Penalties kept: more offenders than that push out the oldest.
    package static let penalties = 256
    /// How long a process with a doubled key may take to answer a PING before it
    /// counts as gone (section 7).
    package static let probeTime = TimeSpan.seconds(5)
    /// Dials under way at once; also the limit for places that were tried before.
    package static let dials = 8
    /// The most dials under way at once: each failed first try since somebody answered allows
    /// one more. With ``dialShort`` that makes a hundred places a second: five hundred
    /// made-up ones take six seconds.
    package static let dialsOfMany = 48
    /// The longest first try while places wait and the last ones were made up: twice a round trip
    /// of a bad network, thirty times one of a good network.
    package static let dialShort = TimeSpan.milliseconds(500)
    /// The same where many wait and nothing is known of them yet.
    package static let dialOfMany = TimeSpan.seconds(1)
    /// How long a second try takes at most while others wait.
    package static let dialAgain = TimeSpan.seconds(2)
    /// Failed dials in ``hintTime`` to addresses that one peer told of. An honest peer tells of its
    /// links, few of which are gone; a liar can make this machine knock at no more doors than this.
    package static let dialsPerTeller = 8
    /// Failed dials to one address that a peer told of, before the agent gives it up.
    package static let hintFailures = 2
    /// Peers whose pace is remembered: more than an agent has links.
    package static let tellers = 256
    /// Bytes of a circuit that may be on their way in one direction.
    package static let circuitWindow = 64 * 1024
    /// Connections in all, strangers' and ours: the last bound.
    package static let connections = 64

    // Overlay

    /// Peers up to which everyone is linked with everyone (docs/protocol.md section 23).
    package static let fullMesh = 24
    /// Below this many peers a partial mesh becomes a full one again. It is less than ``fullMesh``,
    /// because a cabin of just that size would otherwise switch back and forth.
    package static let fullMeshAgain = 20
    /// Links that an agent dials in a partial mesh.
    package static let outbound = 6
    /// Links that it accepts for the mesh beside those.
    package static let inbound = 8
    /// Links that it accepts beyond for a purpose: a negotiation, a verification, a message.
    package static let guests = 4
    /// Links with verified passengers that stay, whoever else comes. People verify few others, and
    /// as many links are left for the mesh.
    package static let companions = 8
    /// Links of a partial mesh in all, those on demand among them.
    package static let partialMesh = 16
    /// Links on which new entries are pushed at first; the others announce.
    package static let eager = 3
    /// A link on demand ends after this long without a message for its purpose.
    package static let idleLink = TimeSpan.seconds(120)
    /// How long the overlay gathers changes of links and needs after it was updated.
    package static let tendAfter = TimeSpan.milliseconds(20)
    /// The overlay is updated at least this often.
    package static let tendAgain = TimeSpan.seconds(30)
    /// One link of a partial mesh is exchanged for another one this often.
    package static let rotation = TimeSpan.seconds(120)
    /// A link is not given up for rotation or surplus before it is this old.
    package static let settled = TimeSpan.seconds(10)
    /// The mean time between two PEX on one link while the sender's links stay the same. It is
    /// jittered by half, so that a PEX comes before the hints of the last one expire (10 minutes).
    package static let exchange = TimeSpan.seconds(240)
    /// How long a PEX waits for more changes of the own links.
    package static let exchangeAfter = TimeSpan.milliseconds(500)...TimeSpan.milliseconds(1500)
    /// Keys that one peer may tell of, so that no peer fills the address book.
    package static let hintsPerPeer = 256
    /// Keys in the address book.
    package static let hintsInAll = 1024
    /// An address is forgotten if no peer repeats it for this long.
    package static let hintTime = TimeSpan.seconds(10 * 60)
    /// The shortest time for which mDNS browsing stays on, and stays off.
    package static let browseTime = TimeSpan.seconds(30)

    // Verification

    /// From SAS_START, or the user's wish, to the end of an attempt.
    package static let verifyTime = TimeSpan.seconds(120)
    /// Failed attempts with one key before a pause.
    package static let verifyFailures = 3
    /// The pause.
    package static let verifyPause = TimeSpan.seconds(10 * 60)

    // Relays

    /// Circuits that an agent carries for others.
    package static let circuits = 8
    /// Circuits that it carries for one peer who opened them.
    package static let circuitsPerPeer = 2
    /// Bytes that it carries on one circuit, both directions: a swap needs about 50 KB.
    package static let circuitBytes = 4 * 1024 * 1024
    /// A circuit ends after this long without traffic.
    package static let circuitIdle = TimeSpan.seconds(120)
    /// A circuit ends if the far end does not accept it within this time.
    package static let circuitOpening = TimeSpan.seconds(10)
    /// Circuits of its own that an agent takes part in at once.
    package static let ownCircuits = 16
    /// How long direct dials are tried before a relay is asked.
    package static let relayAfter = TimeSpan.seconds(3)

    // Negotiation

    /// How long a proposal stands when its author names no time.
    package static let offerTime = TimeSpan.seconds(30 * 60)
    /// The longest time a proposal may stand.
    package static let offerTimeMax = TimeSpan.seconds(24 * 60 * 60)
    /// How long a READY holds: then it is said again, as long as the user's yes stands.
    package static let readyTime = TimeSpan.seconds(120)
    /// How long the coordinator waits for votes.
    package static let voteTime = TimeSpan.seconds(5)
    /// A yes without outcome is called stranded after this long.
    package static let strandedAfter = TimeSpan.seconds(120)
    /// The longest wait between two QUERYs.
    package static let queryMax = TimeSpan.seconds(30)
    /// The user's yeses to requests of several that stand at once. One seat may be in all of them.
    package static let readyAtOnce = 8
    /// How many requests may come, one after the other, in the place of one that a search found.
    public static let replacements = 3
    /// How long a yes to a request of several counts for what takes its place, after its end.
    public static let yesKept = TimeSpan.seconds(600)
    /// Negotiations kept in memory, open and closed.
    package static let swaps = 256
    /// Open negotiations that this user began: capacity that nobody else can take.
    package static let ownRequests = 64
    /// Open requests of all others; with ``ownRequests`` as many as are kept.
    package static let requests = 192
    /// Open requests of strangers, for whom only their own claim speaks. The rest is for passengers
    /// who are verified, of the party, vouched for, or linked for long.
    package static let requestsOfStrangers = 128
    /// A passenger with a session open for this long is no stranger to the list of requests.
    package static let linkedLong = TimeSpan.seconds(5 * 60)
    /// Requests that wait for the logs they rest on, from all peers: two for each connection,
    /// half a megabyte at most.
    package static let earlyRequests = 128
    /// Open requests from one key: a stranger cannot fill the inbox. As many wait for logs.
    package static let requestsPerPeer = 8
    /// Requests from one key within an hour, not counting those that became
    /// swaps. The agent ignores more.
    package static let requestsPerHour = 12
    /// Seconds over which requests are counted.
    package static let requestSpan: Int64 = 3600
    /// Seconds in which the logs may still show why a request was taken back:
    /// WITHDRAW is faster than entries.
    package static let reasonSpan: Int64 = 60
    /// How long to wait after a collision, by chance.
    package static let retryAfter = TimeSpan.seconds(1)...TimeSpan.seconds(5)
    /// Tries after a collision.
    package static let retries = 3

    /// Entries that one swap may need: vote, certificate, and to leave by a re-mint.
    package static let entriesPerSwap = 8
    /// The length of the own log up to which the agent signs a no to a contract that the
    /// user never accepted. Otherwise a peer who keeps asking for votes could fill the log,
    /// and no swap would be possible.
    package static let entriesForStrangers = 2048
    /// Noes in the own log up to which the agent signs another one that only frees others. One
    /// limit for all keys, since a stranger has as many keys as they like.
    package static let noesForStrangers = 32
    /// Entries kept free for swaps: chat stops before the log is full.
    package static let entriesReserved = 128

    /// Violated rules of the fold that are reported, so that an error of this
    /// program does not flood people.
    package static let violations = 64

    // Suggested layouts

    /// Bytes of a suggested layout: the largest bundled one has less than half of it.
    package static let layout = 4 * 1024
    /// Authors whose suggestions are kept: enough to see what most want, and 256 KB at most.
    package static let layoutAuthors = 64
    /// Authors who must suggest the same layout before the agent asks its user about it: one
    /// alone could want anything.
    package static let layoutVoices = 2
    /// Revisions of one author's suggestion: four bytes in a list.
    package static let layoutRevisions = 1...4_294_967_295
    /// The agent takes one changed suggestion of an author in this time, after ``layoutBurst`` at
    /// once, because everybody checks, shows and forwards each. It answers a peer's lists at the
    /// same pace; an answer may cost a quarter of a megabyte.
    package static let layoutPace = TimeSpan.seconds(10)
    /// See ``layoutPace``.
    package static let layoutBurst = 4
    /// How often the digest of all suggestions is sent on a link, to find what got lost.
    package static let layoutRound = TimeSpan.seconds(60)
    /// How long the agent waits for more authors before it asks for their suggestions again; also
    /// the shortest time between two such questions to one peer.
    package static let layoutAgain = TimeSpan.seconds(2)

    // Direct messages

    /// Messages waiting for one passenger.
    package static let outboxPerPeer = 64
    /// Bytes of direct messages kept of any key that has a log here.
    package static let messageShare = 4 * 1024
    /// Bytes beyond ``messageShare``, shared by all keys for whom the user did nothing.
    package static let messagePool = 4 * 1024 * 1024
    /// Bytes kept of a key for whom the user did something.
    package static let messagesOfFavoured = 1024 * 1024
    /// What a message costs beside its text: its row and its index.
    package static let messageCost = 128
    /// Messages kept in memory for `log`, both directions.
    package static let messages = 5000
    /// A direct message is given up after this long without an acknowledgement.
    package static let messageTime = TimeSpan.seconds(60 * 60)
}
