// SPDX-License-Identifier: Apache-2.0
import Aviation
import CivilTime
import ControlAPI
import Launch
import Protocol
import System
import Text
import Trips
import Wording

/// Commands that only look.
enum LookCommands {
    // MARK: status

    static func status(_ call: Invocation) throws(UserError) -> ExitCode {
        let url = call.config.value(.rendezvousURL)
        return try call.show(Op.Status()) { status in
            // Set for flights, where it is all the same in which profile.
            let isUnused = !url.isEmpty && VenueName(status.flight.name) != nil
            return lines(status, isUnused: isUnused)
        }
    }

    /// The lines of `status`.
    ///
    /// With `isUnused` there is a meeting point in the settings, and the agent has none.
    static func lines(_ status: AgentStatus, isUnused: Bool = false) -> [String] {
        let isVenue = VenueName(status.flight.name) != nil
        var rows = isVenue ? ofVenue(status) : ofFlight(status)
        rows += more(status)
        if isUnused {
            rows.append(
                ("Meeting", "none: venues have no meeting point; rendezvous.url is for flights"))
        }
        rows.append(("Agent", agent(status)))
        var lines = rows.map { padded($0.0, to: 10) + $0.1 }
        if let trouble = status.network.trouble {
            lines += ["", "! " + visible(trouble.what)]
            if let why = trouble.why { lines.append("  why: " + visible(why)) }
            if let advice = trouble.advice { lines.append("  try: " + visible(advice)) }
        }
        if let path = status.network.keylog { lines += ["", "! " + KeyLogFile.warning(path)] }
        lines += ["", "Next: " + visible(status.next)]
        return lines
    }

    /// What there is to say of an agent in a venue, where nobody has a seat.
    private static func ofVenue(_ status: AgentStatus) -> [(String, String)] {
        let name = VenueName(status.flight.name)
        let runBy = name.map { ", \($0.volume.text), by \($0.runBy.tag)" } ?? ""
        return [
            ("You", WhoText.full(status.me)),
            ("Venue", visible(status.flight.designator) + runBy),
            ("Network", network(status.network)),
            ("Here", ReachText.aboard(status)),
        ]
    }

    private static func ofFlight(_ status: AgentStatus) -> [(String, String)] {
        let flight = status.flight
        let name = flight.practice ? "the practice flight" : visible(flight.name)
        let also = flight.aliases.map { ", also \(visible($0))" }
        var rows: [(String, String)] = [
            ("You", WhoText.full(status.me)),
            ("Flight", name + also.joined() + (flight.gated ? ", cabin code set" : "")),
            ("Swaps", WindowText.line(status.window)),
            ("Network", network(status.network)),
            ("Aboard", ReachText.aboard(status)),
            ("Requests", requests(status.requests)),
        ]
        if let opening = status.window?.opening {
            rows.insert(("", "from " + visible(opening.words)), at: 3)
        }
        // The standard cabin says nothing about this aeroplane.
        if let cabin = CabinLayout(told: status.cabin), cabin.id != CabinLayout.standard.id {
            rows.insert(("Cabin", visible(cabin.name)), at: 2)
        }
        return rows
    }

    /// Rows that are shown only if there is something to say.
    private static func more(_ status: AgentStatus) -> [(String, String)] {
        var rows: [(String, String)] = []
        if let guests = status.guests, !guests.isEmpty {
            let named = guests.map { WhoText.seated($0) }.joined(separator: ", ")
            rows.append(("Guests", named + " on this laptop"))
        }
        if let meeting = status.meeting {
            for (index, line) in MeetingText.lines(meeting, gated: status.flight.gated).enumerated()
            {
                rows.append((index == 0 ? "Meeting" : "", line))
            }
        }
        if let pressing = PressingText(status.pressing) {
            rows.append(("", pressing.line(slash: false)))
        }
        if status.awake {
            rows.append(("Awake", "this computer is kept from sleeping until a swap is decided"))
        }
        if let left = status.silenced {
            let span = SpanText.words(Int64(left))
            rows.append(("Silence", "for strangers, \(span) more: seatagent silence off"))
        }
        if status.asks == .known(.nothing) {
            rows.append(("Asks", "nobody may ask you: seatagent wish --asks similar"))
        }
        if let asked = CabinAskText(status.cabinAsked) {
            rows.append(("Asked", asked.line(slash: false)))
        }
        if let mesh = ReachText.mesh(status.network) { rows.append(("Links", mesh)) }
        if status.messagesWaiting > 0 {
            rows.append(("Messages", "\(status.messagesWaiting) not arrived yet"))
        }
        if let leftOut = leftOut(status.leftOut) { rows.append(("Not taken", leftOut)) }
        if !status.log.open {
            rows.append(("Log", visible(status.log.why ?? "not open yet")))
        }
        return rows
    }

    /// `records of 3 passengers, messages of 1 passenger: more than their share`.
    private static func leftOut(_ leftOut: LeftOut) -> String? {
        let parts = [("records", leftOut.logs), ("messages", leftOut.messages)]
            .filter { $0.1 > 0 }
            .map { words, count in "\(words) of \(count) passenger\(count == 1 ? "" : "s")" }
        return parts.isEmpty ? nil : parts.joined(separator: ", ") + ": more than their share"
    }

    private static func network(_ network: NetworkFacts) -> String {
        let interface = network.interface.map { visible($0) } ?? "all networks"
        let shown = network.listening.prefix(3).map { visible($0) }.joined(separator: " ")
        return interface + (shown.isEmpty ? "" : "  \(shown)")
            + (network.mdns ? "" : "  without mDNS")
            + (network.announced == true ? "  announces its venue" : "")
    }

    static func requests(_ requests: RequestCounts) -> String {
        var parts: [String] = []
        if requests.in + requests.out > 0 {
            parts = ["\(requests.in) for you", "\(requests.out) from you"]
        }
        if requests.stranded > 0 { parts.append("\(requests.stranded) without an outcome yet") }
        return parts.isEmpty ? "none open" : parts.joined(separator: ", ")
    }

    private static func agent(_ status: AgentStatus) -> String {
        "\(visible(status.agent)), profile \(visible(status.profile)), process \(status.pid), "
            + "since \(EventText.clock(status.started))"
            + (status.stays ? "" : ", leaves with its last view")
    }

    // MARK: peers

    static func peers(_ call: Invocation) throws(UserError) -> ExitCode {
        if let address = call.line.value("add") {
            let peer = try AgentOptions.peer(address, line: "seatagent peers --add ")
            let result = try call.ask(Op.AddPeer(address: "\(peer)"))
            return call.finish(result, ["Connecting to \(peer)."])
        }
        let wanted = try wantedCount(call)
        let client = try call.connect(
            deadline: call.deadline(standard: wanted == nil ? 30 : nil))
        if wanted != nil {
            _ = try client.ask(Op.Watch(events: [Word(.peer), Word(.chat), Word(.seat)]))
        }
        var result = try client.ask(Op.Peers())
        if let wanted {
            while present(result.peers) < wanted {
                do throws(UserError) {
                    guard try client.nextEvent() != nil else { break }
                    client.forgetEvents()
                    result = try client.ask(Op.Peers())
                } catch {
                    throw error.code == .timeout ? try alone(call, wanted) : error
                }
            }
        }
        // As wide as the widest, so that no column runs into the next one.
        let columns = PeerColumns(result.peers.map(\.person))
        let isEmpty = result.peers.isEmpty
        let sign = isEmpty ? try call.ask(Op.Status()).meeting.flatMap(MeetingText.sign) : nil
        let nobody = "no one else is aboard yet" + (sign.map { ": \($0)" } ?? "")
        let lines = isEmpty ? [nobody] : result.peers.map { line($0, columns) }
        let code = call.finish(result, lines + ReachText.silent(result.silent, columns))
        if isEmpty, sign == nil { call.hint("Next: seatagent doctor, if it stays so") }
        return code
    }

    /// `--wait` means one, `--wait 3` means three.
    private static func wantedCount(_ call: Invocation) throws(UserError) -> Int? {
        guard call.line.has("wait") else { return nil }
        return try call.numberOperand(0) ?? 1
    }

    /// How many passengers have a known name and seat, so that they can be asked.
    private static func present(_ peers: [Peer]) -> Int {
        peers.count { ($0.linked || $0.remote) && !$0.name.isEmpty }
    }

    private static func alone(_ call: Invocation, _ wanted: Int) throws(UserError) -> UserError {
        let status = try call.ask(Op.Status())
        let seconds = call.timeout ?? 0
        let interface = status.network.interface ?? "this network"
        guard status.linked == 0 else {
            return UserError(
                .timeout, "only \(status.linked) of \(wanted) are aboard",
                why: "\(seconds) s have passed", advice: "seatagent peers")
        }
        return UserError(
            .noOneAboard, "no one else is aboard yet",
            why: "\(seconds) s on \(interface) without an answer; "
                + "many on-board networks keep passengers apart", advice: "seatagent doctor")
    }

    private static func line(_ peer: Peer, _ columns: PeerColumns) -> String {
        let words = [WhoText.host(peer.person)] + ReachText.words(peer) + warnings(peer)
        return columns.line(WhoText.seats(peer.person), WhoText.tagged(peer.person))
            + words.filter { !$0.isEmpty }.joined(separator: "  ")
    }

    private static func warnings(_ peer: Peer) -> [String] {
        var words: [String] = []
        if peer.blocked { words.append("blocked by you") }
        if let misdeed = peer.misdeed { words.append(visible(misdeed.what) + ": do not trade") }
        return words
    }

    /// `record 5, 1f0c9a2e: yes to swap 3b7e01c2, giving 12A`.
    private static func misdeed(_ record: Conviction.Record) -> String {
        "record \(record.seq), \(visible(record.id, cells: 9).prefix(8)): "
            + visible(record.says, cells: 80)
    }

    // MARK: who

    private static func here(_ peer: Peer) -> String {
        peer.me ? "your own agent" : ReachText.words(peer).joined(separator: "  ")
    }

    static func who(_ call: Invocation) throws(UserError) -> ExitCode {
        var word = call.operands.first ?? ""
        if call.operands.isEmpty { word = try call.ask(Op.Status()).me.key }
        let who = try call.ask(Op.Who(who: word))
        let person = who.reply.peer.person
        if call.line.has("key") {
            call.hint("The key of \(WhoText.full(person)):")
            return call.finish(who, [visible(who.spelled, cells: 64)])
        }
        var rows: [(String, String)] = [
            ("Name", WhoText.tagged(person) + (person.me ? ", that is you" : "")),
            ("Seat", person.seats.isEmpty ? "none" : WhoText.seats(person)),
            ("Key", visible(who.fingerprint)),
            ("Seen as", VerifyText.assurance(who.reply)),
            ("Here", here(who.peer)),
            ("Since", EventText.clock(who.firstSeen)),
        ]
        let host = WhoText.host(person)
        if !host.isEmpty { rows.append(("Runs", host + ", which holds their key")) }
        if let offer = who.peer.offer {
            let seats = offer.seats.map(\.text).joined(separator: ", ")
            let note = visible(offer.note, cells: 60)
            let words = "\(seats) for \(EventText.wants(offer.wants))"
            rows.append(("Offers", words + (note.isEmpty ? "" : "  \"\(note)\"")))
        }
        if who.peer.asks == .known(.nothing) {
            rows.append(("Asks", "does not want to be asked for a swap"))
        }
        let contested = who.contested.flatMap { ClaimText.lines($0, [:]) }
        rows += contested.enumerated().map { ($0.offset == 0 ? "Claims" : "", $0.element) }
        rows += warnings(who.peer).map { ("!", $0) }
        rows += (who.peer.misdeed?.entries ?? []).map { ("", misdeed($0)) }
        return call.finish(who, rows.map { padded($0.0, to: 8) + $0.1 })
    }
}
