// SPDX-License-Identifier: Apache-2.0
import Aviation
import CivilTime
import Launch
import Text
import Trips
import Wording

/// Commands that only look.
enum LookCommands {
    // MARK: status

    static func status(_ call: Invocation) throws(UserError) -> ExitCode {
        let status = try call.ask("status")
        return call.finish(status, lines(status))
    }

    /// The screen people live in.
    static func lines(_ status: JSON) -> [String] {
        let me = status["me"]
        let flight = status["flight"]
        let name =
            flight?["practice"] == true
            ? "the practice flight" : visible(flight?["name"]?.text ?? "?")
        let also = (flight?["aliases"]?.list ?? []).compactMap(\.text).map {
            ", also \(visible($0))"
        }
        let gate = also.joined() + (flight?["gated"] == true ? ", cabin code set" : "")
        var rows: [(String, String)] = [
            ("You", WhoText.full(me)),
            ("Flight", name + gate),
            ("Swaps", WindowText.line(status["window"])),
            ("Network", network(status["network"])),
            ("Aboard", ReachText.aboard(status)),
            ("Requests", requests(status["requests"])),
        ]
        if let opening = status["window"]?["opening"]?["words"]?.text {
            rows.insert(("", "from " + visible(opening)), at: 3)
        }
        // The standard one says nothing of this aeroplane.
        if let cabin = CabinLayout(told: status["cabin"]), cabin.id != CabinLayout.standard.id {
            rows.insert(("Cabin", visible(cabin.name)), at: 2)
        }
        if let pressing = PressingText(status["pressing"]) {
            rows.append(("", pressing.line(slash: false)))
        }
        if status["awake"] == true {
            rows.append(("Awake", "this computer is kept from sleeping until a swap is decided"))
        }
        if let left = status["silenced"]?.number {
            rows.append(
                (
                    "Silence",
                    "for strangers, \(SpanText.words(Int64(left))) more: seatagent silence off"
                ))
        }
        if let asked = CabinAskText(status["cabin_asked"]) {
            rows.append(("Asked", asked.line(slash: false)))
        }
        if let mesh = ReachText.mesh(status["network"]) { rows.append(("Links", mesh)) }
        if let waiting = status["messages_waiting"]?.number, waiting > 0 {
            rows.append(("Messages", "\(waiting) not arrived yet"))
        }
        if let leftOut = leftOut(status["left_out"]) { rows.append(("Not taken", leftOut)) }
        if status["log"]?["open"] == false {
            rows.append(("Log", visible(status["log"]?["why"]?.text ?? "not open yet")))
        }
        rows.append(("Agent", agent(status)))
        var lines = rows.map { padded($0.0, to: 10) + $0.1 }
        if let trouble = status["network"]?["trouble"], trouble != .null {
            lines += ["", "! " + visible(trouble["what"]?.text ?? "")]
            if let why = trouble["why"]?.text { lines.append("  why: " + visible(why)) }
            if let advice = trouble["try"]?.text { lines.append("  try: " + visible(advice)) }
        }
        lines += ["", "Next: " + visible(status["next"]?.text ?? "seatagent help")]
        return lines
    }

    /// `records of 3 passengers, messages of 1 passenger: more than their share`.
    private static func leftOut(_ leftOut: JSON?) -> String? {
        let parts = [("records", "logs"), ("messages", "messages")].compactMap { words, member in
            (leftOut?[member]?.number).flatMap { count in
                count == 0 ? nil : "\(words) of \(count) passenger\(count == 1 ? "" : "s")"
            }
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ") + ": more than their share"
    }

    private static func network(_ network: JSON?) -> String {
        let interface = network?["interface"]?.text.map { visible($0) } ?? "all networks"
        let addresses = (network?["listening"]?.list ?? []).compactMap(\.text)
        let shown = addresses.prefix(3).map { visible($0) }.joined(separator: " ")
        return interface + (shown.isEmpty ? "" : "  \(shown)")
            + (network?["mdns"] == false ? "  without mDNS" : "")
    }

    private static func requests(_ requests: JSON?) -> String {
        let incoming = requests?["in"]?.number ?? 0
        let outgoing = requests?["out"]?.number ?? 0
        if incoming + outgoing == 0 { return "none open" }
        return "\(incoming) for you, \(outgoing) from you"
    }

    private static func agent(_ status: JSON) -> String {
        let version = visible(status["agent"]?.text ?? "?")
        let profile = visible(status["profile"]?.text ?? "?")
        return "\(version), profile \(profile), process \(status["pid"]?.number ?? 0), "
            + "since \(EventText.clock(status["started"]?.text))"
            + (status["stays"] == false ? ", leaves with its last view" : "")
    }

    // MARK: peers

    static func peers(_ call: Invocation) throws(UserError) -> ExitCode {
        if let address = call.line.value("add") {
            let peer = try AgentOptions.peer(address)
            let result = try call.ask("peer-add", ["address": .string("\(peer)")])
            return call.finish(result, ["Connecting to \(peer)."])
        }
        let wanted = try wantedCount(call)
        let client = try call.connect(
            deadline: call.deadline(standard: wanted == nil ? 30 : nil))
        if wanted != nil { _ = try client.ask("watch", ["events": ["peer", "chat", "seat"]]) }
        var result = try client.ask("peers")
        if let wanted {
            while present(result).count < wanted {
                do throws(UserError) {
                    guard try client.nextEvent() != nil else { break }
                    client.forgetEvents()
                    result = try client.ask("peers")
                } catch {
                    throw error.code == .timeout ? try alone(call, wanted) : error
                }
            }
        }
        let peers = result["peers"]?.list ?? []
        // As wide as the widest, so that no column runs into the next one.
        let columns = PeerColumns(peers)
        let lines = peers.isEmpty ? ["no one else is aboard yet"] : peers.map { line($0, columns) }
        let code = call.finish(result, lines + ReachText.silent(result["silent"], columns))
        if peers.isEmpty { call.hint("Next: seatagent doctor, if it stays so") }
        return code
    }

    /// `--wait` is one, `--wait 3` is three.
    private static func wantedCount(_ call: Invocation) throws(UserError) -> Int? {
        guard call.line.has("wait") else { return nil }
        return try call.numberOperand(0) ?? 1
    }

    /// Those who are here and whose name and seat are known, so that they can be asked.
    private static func present(_ result: JSON) -> [JSON] {
        (result["peers"]?.list ?? []).filter {
            $0["linked"] == true && $0["name"]?.text?.isEmpty == false
        }
    }

    private static func alone(_ call: Invocation, _ wanted: Int) throws(UserError) -> UserError {
        let status = try call.ask("status")
        let linked = status["linked"]?.number ?? 0
        let seconds = call.timeout ?? 0
        let interface = status["network"]?["interface"]?.text ?? "this network"
        guard linked == 0 else {
            return UserError(
                .timeout, "only \(linked) of \(wanted) are aboard", why: "\(seconds) s have passed",
                advice: "seatagent peers")
        }
        return UserError(
            .noOneAboard, "no one else is aboard yet",
            why: "\(seconds) s on \(interface) without an answer; "
                + "many on-board networks keep passengers apart", advice: "seatagent doctor")
    }

    private static func line(_ peer: JSON, _ columns: PeerColumns) -> String {
        var words: [String] = []
        words += ReachText.words(peer)
        words += warnings(peer)
        return columns.line(WhoText.seats(peer), WhoText.tagged(peer))
            + words.filter { !$0.isEmpty }.joined(separator: "  ")
    }

    private static func warnings(_ peer: JSON) -> [String] {
        var words: [String] = []
        if peer["blocked"] == true { words.append("blocked by you") }
        if let what = peer["misdeed"]?["what"]?.text {
            words.append(visible(what) + ": do not trade")
        }
        return words
    }

    /// `record 5, 1f0c9a2e: yes to swap 3b7e01c2, giving 12A`.
    private static func misdeed(_ entry: JSON) -> String {
        let id = visible(entry["id"]?.text ?? "?", cells: 9).prefix(8)
        return "record \(entry["seq"]?.number ?? 0), \(id): "
            + visible(entry["says"]?.text ?? "", cells: 80)
    }

    // MARK: who

    private static func here(_ who: JSON) -> String {
        WhoText.isMe(who) ? "your own agent" : ReachText.words(who).joined(separator: "  ")
    }

    static func who(_ call: Invocation) throws(UserError) -> ExitCode {
        let me = call.operands.isEmpty ? try call.ask("status")["me"]?["key"] : nil
        let who = try call.ask("who", ["who": me ?? .string(call.operands.first ?? "")])
        if call.line.has("key") {
            call.hint("The key of \(WhoText.full(who)):")
            return call.finish(who, [visible(who["spelled"]?.text ?? "?", cells: 64)])
        }
        var rows: [(String, String)] = [
            ("Name", WhoText.tagged(who) + (WhoText.isMe(who) ? ", that is you" : "")),
            ("Seat", WhoText.seats(who).isEmpty ? "none" : WhoText.seats(who)),
            ("Key", visible(who["fingerprint"]?.text ?? "?")),
            ("Seen as", VerifyText.assurance(who)),
            ("Here", here(who)),
            ("Since", EventText.clock(who["first_seen"]?.text)),
        ]
        if let offer = who["offer"], offer != .null {
            let seats = (offer["seats"]?.list ?? []).compactMap(\.text).map {
                visible($0, cells: 4)
            }
            let note = visible(offer["note"]?.text ?? "", cells: 60)
            rows.append(
                (
                    "Offers",
                    seats.joined(separator: ", ") + " for \(EventText.wants(offer["wants"]))"
                        + (note.isEmpty ? "" : "  \"\(note)\"")
                ))
        }
        let contested = (who["contested"]?.list ?? []).flatMap { ClaimText.lines($0, [:]) }
        rows += contested.enumerated().map { ($0.offset == 0 ? "Claims" : "", $0.element) }
        rows += warnings(who).map { ("!", $0) }
        rows += (who["misdeed"]?["entries"]?.list ?? []).map { ("", misdeed($0)) }
        return call.finish(who, rows.map { padded($0.0, to: 8) + $0.1 })
    }
}
