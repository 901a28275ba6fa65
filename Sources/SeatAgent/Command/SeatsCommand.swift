// SPDX-License-Identifier: Apache-2.0
import Aviation
import ControlAPI
import Protocol
import Text
import Wording

/// `seatagent seats`.
enum SeatsCommand {
    static func run(_ call: Invocation) throws(UserError) -> ExitCode {
        let client = try call.connect(deadline: call.deadline(standard: 30))
        let map = try client.ask(Op.Seats())
        if call.json { return call.finish(map) }
        let peers = try client.ask(Op.Peers()).peers
        let requests = try client.ask(Op.Requests()).requests
        let cabin = CabinLayout(told: map.cabin) ?? .standard
        let picture = SeatPicture(
            marks: SeatMarks.marks(map: map.seats, peers: peers, requests: requests, cabin: cabin),
            cabin: cabin,
            ascii: call.ascii, colour: call.colour)
        let drawn = call.line.has("wide") ? picture.lying : picture.upright
        let code = call.finish(map, drawn + claims(map: map.seats, peers: peers))
        if let asked = CabinAskText(try client.ask(Op.Status()).cabinAsked) {
            call.hint(asked.line(slash: false) + ".")
        }
        return code
    }

    /// Who claims the seats that several claim, with the evidence for each; and who is verified
    /// where.
    static func claims(map: [SeatEntry], peers: [Peer]) -> [String] {
        var known: [String: Person] = [:]
        for peer in peers { known[peer.key] = peer.person }
        let lines = map.flatMap { ClaimText.lines($0, known) }
        return lines.isEmpty ? [] : [""] + lines
    }
}
