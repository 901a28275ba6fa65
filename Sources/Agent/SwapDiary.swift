// SPDX-License-Identifier: Apache-2.0
import Profile
import Protocol
import Store
import System
import Text
import Trips

/// Writes swaps that became final into the passenger's history, and their seats into the trip.
///
/// Never delays a swap: if the list cannot be written, it is tried again later, and the next start
/// looks through everything final once more. A swap is remembered once.
final class SwapDiary {
    private let place: ProfilePlace
    private let flight: FlightName
    private let ends: UTCTime?
    private let loop: EventLoop
    /// The core at the time of the next try.
    var node: (() -> Node)?
    private var written: Set<ContractID> = []
    private var isWaiting = false
    private var hasFailed = false
    private var isForgotten = false

    /// The time until the next try: a full disk or another command seldom takes longer.
    private static let patience = TimeSpan.seconds(5)

    /// The diary of an agent on `flight`, which ends at `ends`.
    init(_ place: ProfilePlace, flight: FlightName, ends: UTCTime?, loop: EventLoop) {
        self.place = place
        self.flight = flight
        self.ends = ends
        self.loop = loop
    }

    /// Whether the notice is about a swap that belongs here.
    static func isWritten(_ notice: Notice) -> Bool {
        guard case .swap(let swap) = notice else { return false }
        return swap.what == .final
    }

    /// Writes what is final and not written yet; tries again later if that fails.
    func write(_ node: Node) {
        guard !isForgotten else { return }
        let due = node.swaps.records.filter { record in
            RequestFacts(record, me: node.me).state == .final
                && !written.contains(record.contract.id)
        }
        .sorted { ($0.updated, $0.number) < ($1.updated, $1.number) }
        guard !due.isEmpty else { return }
        let held = node.fold.held(by: node.me).map(\.seat)
        let got = node.swaps.records.filter(\.isFinal).flatMap { record in
            RequestFacts(record, me: node.me).moves(node.fold).filter { $0.to == node.me }
        }
        let claimed =
            node.fold.tokens.filter { $0.author == node.me }.map(\.seat) + got.map(\.seat)
        let notes = due.map { (note: Self.note($0, node, ends: ends), at: $0.updated) }
        do throws(UserError) {
            // It does not wait for a command that changes the list, because others wait for this
            // agent.
            try TripBook.change(place, patience: .zero) { (book) throws(UserError) in
                for item in notes {
                    book.record(
                        item.note, on: flight, at: item.at, held: held, claimed: claimed)
                }
            }
            written.formUnion(due.map(\.contract.id))
            hasFailed = false
        } catch {
            if !hasFailed {
                Log.line("a swap is not in the history yet: \(error.why ?? error.what)")
            }
            hasFailed = true
            tryAgain()
        }
    }

    private func tryAgain() {
        guard !isWaiting else { return }
        isWaiting = true
        _ = loop.schedule(at: loop.clock() + Self.patience) { [weak self] in
            guard let self else { return }
            isWaiting = false
            if let node { write(node()) }
        }
    }

    /// The passenger wants nothing about this flight to be kept.
    func forget() {
        isForgotten = true
        do throws(UserError) {
            try TripBook.change(place, patience: .milliseconds(500)) { (book) throws(UserError) in
                book.forget(flight)
            }
        } catch {
            Log.line("swaps of this flight are still in the history: \(error.why ?? error.what)")
        }
    }

    /// What is kept about a swap: seats given and got, by seat, and the names of the others.
    static func note(_ record: SwapRecord, _ node: Node, ends: UTCTime?) -> SwapNote {
        let moves = RequestFacts(record, me: node.me).moves(node.fold)
        let others = record.others(than: node.me)
        let names = others.compactMap { key in
            node.passengers.first { $0.key == key }?.name
        }
        return SwapNote(
            contract: String(record.contract.id.hex.prefix(8)),
            gave: moves.filter { $0.from == node.me }.map(\.seat),
            got: moves.filter { $0.to == node.me }.map(\.seat), with: names,
            namesEnd: UTCTime(
                seconds: (ends ?? record.updated).seconds + FlightLife.keptFor))
    }
}
