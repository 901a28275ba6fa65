// SPDX-License-Identifier: Apache-2.0
// Two passengers in one process swap their seats: seatagent's core without its program.
import Protocol

/// Two cores and one connection between them; time moves when nothing else is left to do.
struct Cabin {
    var cores: [Node] = []
    /// What a program for real passengers commits to its file before it sends anything.
    var disks: [[Write]] = [[], []]
    var events: [(core: Int, event: NodeEvent)] = []
    var now = Moment(instant: .zero, utc: UTCTime(seconds: 1_800_000_000))

    mutating func board(_ name: String, _ seat: Seat, _ flight: FlightKey) {
        let setup = NodeSetup(
            signer: ToySigner(name: name), primitives: ToyPrimitives(), flight: .practice,
            flightKeys: [flight], window: nil, name: name, agent: "embed", seats: [seat],
            port: 7700, seed: ToyPrimitives().sha256(Array(seat.text.utf8)))
        cores.append(Node(setup, Stored(), at: now))
        events.append((cores.count - 1, .started))
    }

    /// Carries out what a core asks for, in this order: write, send, connect; then people are told.
    mutating func carryOut(_ effects: Effects, of core: Int) {
        disks[core] += effects.writes
        for send in effects.sends { events.append((1 - core, .received(LinkID(1), send.bytes))) }
        for dial in effects.dials {
            for end in 0...1 {
                let facts = LinkFacts(
                    role: end == core ? .initiator : .responder, peer: cores[1 - end].me,
                    exporter: .zero, remote: dial.address, dial: end == core ? dial.number : nil)
                events.append((end, .connected(LinkID(1), facts)))
            }
        }
        for case .swap(let notice) in effects.notices { tell(notice, to: core) }
    }

    /// Prints what happened to a swap, and says yes to a request.
    mutating func tell(_ notice: SwapNotice, to core: Int) {
        let name = cores[core].passenger(cores[core].me)?.name ?? "somebody"
        print("\(name): swap \(notice.record.number) is \(notice.what)")
        guard notice.what == .requested else { return }
        let yes = Intent.accept(notice.record.number, override: false, unverified: true)
        events.append((core, .intent(1, yes)))
    }

    mutating func run(until instant: Instant) {
        while now.instant < instant {
            while !events.isEmpty {
                let (core, event) = events.removeFirst()
                carryOut(cores[core].handle(event, at: now), of: core)
            }
            now.instant = min(cores.compactMap(\.nextDeadline).min() ?? instant, instant)
            events += [(0, .tick), (1, .tick)]
        }
    }
}

guard let aisle = Seat("14C"), let window = Seat("12A"),
    let flight = FlightKey(.practice, primitives: ToyPrimitives())
else { fatalError("these are seats, and a toy derives every key") }
var cabin = Cabin()
cabin.board("ada", aisle, flight)
cabin.board("bo", window, flight)
cabin.events.append((0, .typed(PeerAddress(host: "10.0.0.2", port: 7700))))
cabin.run(until: Instant.zero + .seconds(10))
let wish = Intent.swap(
    take: window, give: aisle, note: "aisle for window", expires: nil, unverified: true)
cabin.events.append((0, .intent(1, wish)))
cabin.run(until: Instant.zero + .seconds(20))
for me in cabin.cores.compactMap({ $0.passenger($0.me) }) {
    print("\(me.name) has \(me.seats.map(\.text).joined(separator: ", "))")
}
