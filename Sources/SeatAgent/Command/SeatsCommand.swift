// SPDX-License-Identifier: Apache-2.0
import Aviation
import Protocol
import Text
import Wording

/// `seatagent seats`.
enum SeatsCommand {
    static func run(_ call: Invocation) throws(UserError) -> ExitCode {
        let client = try call.connect(deadline: call.deadline(standard: 30))
        let map = try client.ask("seats")
        if call.json { return call.finish(map) }
        let peers = try client.ask("peers")["peers"]?.list ?? []
        let requests = try client.ask("requests")["requests"]?.list ?? []
        let cabin = CabinLayout(told: map["cabin"]) ?? .standard
        let picture = SeatPicture(
            marks: SeatMarks.marks(map: map, peers: peers, requests: requests, cabin: cabin),
            cabin: cabin,
            ascii: call.ascii, colour: call.colour)
        let drawn = call.line.has("wide") ? picture.lying : picture.upright
        let code = call.finish(map, drawn + claims(map: map, peers: peers))
        if let asked = CabinAskText(try client.ask("status")["cabin_asked"]) {
            call.hint(asked.line(slash: false) + ".")
        }
        return code
    }

    /// Who claims the seats that several claim, and what stands behind each;
    /// and who is verified where.
    static func claims(map: JSON, peers: [JSON]) -> [String] {
        var known: [String: JSON] = [:]
        for peer in peers { known[peer["key"]?.text ?? ""] = peer }
        let lines = (map["seats"]?.list ?? []).flatMap { ClaimText.lines($0, known) }
        return lines.isEmpty ? [] : [""] + lines
    }
}
