// SPDX-License-Identifier: Apache-2.0
/// On whose computer an agent runs (docs/protocol.md section 8).
extension Node {
    /// On whose computer the agent of `peer` runs; `nil` unless both say so.
    public func host(of peer: PeerKey) -> PeerKey? { records.logs.host(of: peer) }

    /// Whose agents run on the computer of this one, as both say, sorted.
    public var guests: [PeerKey] {
        let named = records.logs.log(of: me)?.hostings.guests ?? []
        return named.filter { host(of: $0) == me }.sorted()
    }

    /// The user or their computer's page server says who is host, and who is guest.
    mutating func tell(
        _ said: Hosting, _ effects: inout Effects, at now: Moment
    ) -> Result<IntentReply, Refusal> {
        let known = records.logs.log(of: me)?.hostings ?? Hostings()
        guard said.other != me, known.isNews(said) else { return .failure(.alreadySo) }
        return record(.hosting(said), &effects, at: now)
    }
}
