// SPDX-License-Identifier: Apache-2.0
package import ControlAPI
import Protocol
import Text

/// The words for a party of companions.
package enum PartyWords {
    /// `#k7q2 Mia (14B) has your code: with you?`
    package static func question(_ who: Person) -> String {
        "\(named(who)) has your code: with you?"
    }

    /// `#k7q2 Mia (14B)`: the tag first, since anybody can take a name.
    package static func named(_ who: Person) -> String {
        let name = visible(who.name, cells: 24)
        let seats = who.seats.map(\.text).joined(separator: ", ")
        return visible(who.tag, cells: 16) + (name.isEmpty ? "" : " \(name)")
            + (seats.isEmpty ? "" : " (\(seats))")
    }

    /// One line of `chat`, `log` and `watch`; `nil` for what people need not read.
    package static func event(_ news: PartyNews, slash: Bool) -> String? {
        let command = slash ? "/party" : "seatagent party"
        switch news.change {
        case .known(.asked):
            guard let who = news.who else { return nil }
            let tag = visible(who.tag, cells: 16)
            let word = slash ? tag : "'\(tag)'"
            return "* \(question(who)) \(command) yes \(word), or \(command) no \(word)"
        case .known(.said):
            guard let who = news.who, let text = news.text else { return nil }
            return "[party] \(WhoText.seated(who))  \(visible(text))"
        case .known(.removed):
            guard let who = news.who, let by = news.by else { return nil }
            return "* \(WhoText.full(by)) took \(WhoText.full(who)) out of your party,"
                + " which has a new code"
        case .known(.changed), .other: return nil
        }
    }

    /// The party in lines.
    package static func lines(_ party: PartyStatus) -> [String] {
        guard let code = party.code else {
            return ["You are in no party."]
        }
        var lines = ["Code: \(visible(code, cells: 24))  \(works(party))"]
        for companion in party.companions {
            let state =
                companion.current
                ? "with you"
                : companion.here
                    ? "with you; does not have the new code yet"
                    : "has another code, or has left the party"
            lines.append("\(named(companion.who)): \(state)")
        }
        lines += party.candidates.map { question($0) }
        lines += party.others.map { "\(named($0)): not with you" }
        if party.companions.isEmpty, party.candidates.isEmpty {
            lines.append("Nobody else is in it yet.")
        }
        if party.trust {
            lines.append(
                "Trust: on. Your agent says yes for you to what seats you together, if a "
                    + "companion proposes it.")
        } else if !party.companions.isEmpty {
            lines.append("Trust: off. You are asked about everything.")
        }
        return lines
    }

    /// What to type about the first who has the code.
    package static func next(_ party: PartyStatus) -> String? {
        party.candidates.first.map { who in
            let tag = visible(who.tag, cells: 16)
            return "Next: seatagent party yes '\(tag)', or seatagent party no '\(tag)'"
        }
    }

    /// What its members can do now.
    package static func next(_ party: PartyStatus, slash: Bool) -> [String] {
        let command = slash ? "/" : "seatagent "
        var lines: [String] = []
        if let code = party.code, party.openFor != nil {
            let words = visible(code, cells: 24)
            lines.append("Those who travel with you type: \(command)party join \(words)")
        }
        if !party.companions.isEmpty {
            lines.append("To look for seats side by side: \(command)together")
        }
        return lines
    }

    private static func works(_ party: PartyStatus) -> String {
        if party.fromHome { return "(from home: it works as long as the party stands)" }
        guard let left = party.openFor else { return "(does not work now; see party invite)" }
        let minutes = (left + 59) / 60
        return "(works for \(minutes) minute\(minutes == 1 ? "" : "s") more)"
    }
}
