// SPDX-License-Identifier: Apache-2.0
import Launch
import Protocol
import Text

/// What an agent does about its meeting point.
extension Agent {
    /// The meeting point of the options; `nil` where none is used.
    static func meet(
        _ options: AgentOptions, _ parts: StartUp.Parts
    ) throws(UserError) -> MeetDesk? {
        guard let address = options.meet else { return nil }
        return try MeetDesk(
            address, parts.opened, place: options.place, departs: options.window?.departs,
            primitives: parts.primitives, loop: parts.loop)
    }

    /// Tells the meeting point who is needed and what is left for whom, after each turn.
    func wantTunnels() {
        meet?.tellNeeds(node)
        meet?.tellMail(node)
    }

    /// Who is at the meeting point now.
    var there: Set<PeerKey> { meet?.there ?? [] }

    /// Begins to meet others.
    func meetOthers() {
        guard let meet else { return }
        meet.take = { [unowned self] entries in feed(.mailed(entries)) }
        meet.learn = { [unowned self] length in feed(.ownLength(length)) }
        meet.onStale = { [unowned self] in meet.tellFrontier(node) }
        meet.takeMail = { [unowned self] mail in feed(.lettered(mail)) }
        endings.letters.state = { [unowned meet] in meet.state(of: $0, for: $1) }
        meet.onReach = { [unowned self] in server?.publishMeeting() }
        meet.obey = { [unowned self] order in links.obey(order) }
        links.onTunnel = { ask in meet.tunnel(ask) }
        meet.start(node)
    }
}
