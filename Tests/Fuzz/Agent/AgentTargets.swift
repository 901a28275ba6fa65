// SPDX-License-Identifier: Apache-2.0
import FuzzKit

extension FuzzTarget {
    /// What needs more of the agent than its readers.
    static let agent = [
        FuzzTarget(name: "contracts", longest: 4096, run: ContractsTarget.run),
        FuzzTarget(name: "entries", longest: 8192, run: EntriesTarget.run),
        FuzzTarget(name: "cabins", longest: 4096, run: CabinsTarget.run),
        FuzzTarget(name: "pages", longest: 1024, run: PagesTarget.run),
        FuzzTarget(name: "json", longest: 4096, run: JSONTarget.run),
        FuzzTarget(name: "hello", longest: 1024, run: HelloTarget.run),
        FuzzTarget(name: "bundles", longest: 16384, run: BundlesTarget.run),
        FuzzTarget(name: "party", longest: 512, run: PartyTarget.run),
        FuzzTarget(name: "records", longest: 192, run: RecordsTarget.run),
        FuzzTarget(name: "statements", longest: 512, run: StatementsTarget.run),
        FuzzTarget(name: "asks", longest: 512, run: AsksTarget.run),
        FuzzTarget(name: "announcements", longest: 1024, run: AnnouncementsTarget.run),
        FuzzTarget(name: "meet", longest: 4096, run: MeetTarget.run),
        FuzzTarget(name: "nats", longest: 1024, run: NATSTarget.run),
        FuzzTarget(name: "tunnel", longest: 1024, run: TunnelTarget.run),
        FuzzTarget(name: "dns", longest: 512, run: DNSTarget.run),
        FuzzTarget(name: "gate", longest: 512, run: GateTarget.run),
        FuzzTarget(name: "services", longest: 1024, run: ServicesTarget.run),
        FuzzTarget(name: "seatkey", longest: 1024, run: SeatKeyTarget.run),
        FuzzTarget(name: "forms", longest: 1024, run: FormsTarget.run),
        FuzzTarget(name: "ledgers", longest: 2048, run: LedgersTarget.run),
        FuzzTarget(name: "requests", longest: 768, run: RequestsTarget.run),
        FuzzTarget(name: "matcher", longest: 512, run: MatcherTarget.run),
        FuzzTarget(name: "node", longest: 256, run: NodeTarget.run),
    ]
}
