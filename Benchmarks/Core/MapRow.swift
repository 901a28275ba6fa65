// SPDX-License-Identifier: Apache-2.0
import Protocol
import ProtocolTestKit

/// Row 5: the fold of a cabin, whole, and after one more entry.
enum MapRow {
    /// Logs with so many tokens and contracts: swaps of two, by chance.
    private static func cabin(_ passengers: Int, contracts: Int) -> Cabin {
        var cabin = Core.cabin(passengers)
        var random = SeededRandom(seed: 6)
        var made = 0
        while made < contracts {
            let one = Int.random(in: 0..<passengers, using: &random)
            let other = Int.random(in: 0..<passengers, using: &random)
            guard one != other else { continue }
            guard cabin.swap(one, other).count == 4 else { fail("no swap") }
            made += 1
        }
        let fold = Fold.fold(cabin.logs)
        guard fold.tokens.count == passengers, fold.contracts.count(where: \.applied) == contracts
        else { fail("not the map that was meant") }
        return cabin
    }

    static func measure(rounds: Int) {
        let small = cabin(192, contracts: 300)
        let large = cabin(850, contracts: 2000)
        for _ in 0..<rounds {
            whole("map.full", small.logs)
            whole("map.large", large.logs)
            more(small)
        }
    }

    private static func whole(_ name: String, _ logs: LogSet) {
        let (time, judged) = Clock.measure { Fold.judge(logs) }
        guard judged.misdeeds.isEmpty, !judged.fold.tokens.isEmpty else { fail("a bad map") }
        Sample.print(name, time, per: 1, "ms", 1e6)
    }

    /// One more swap, entry by entry: each on top of what was folded before.
    private static func more(_ cabin: Cabin) {
        var cabin = cabin
        var logs = cabin.logs
        var running = RunningFold()
        running.follow(logs)
        var before = running.fold
        let names = ["map.claim", "map.vote", "map.vote", "map.certificate", "map.second"]
        guard let seat = Seat(row: 200, column: 0),
            let claim = cabin.write(.claim(seat: seat, dependant: true), by: 7)
        else { fail("no claim") }
        for (name, entry) in zip(names, [claim] + cabin.swap(3, 5).map(\.entry)) {
            logs.restore(entry)
            let (time, _) = Clock.measure { counted { running.follow(logs) } }
            Sample.print(name, time, per: 1, "ms", 1e6)
            guard (before == running.fold) == (name == "map.second") else { fail("no change") }
            before = running.fold
        }
        guard before == Fold.fold(logs) else { fail("not the map that was meant") }
    }

    static func countFold() {
        let cabin = cabin(192, contracts: 300)
        let tokens = counted { Fold.judge(cabin.logs).fold.tokens.count }
        guard tokens == 192 else { fail("\(tokens) tokens") }
    }

    static func countMore() {
        let cabin = cabin(192, contracts: 300)
        more(cabin)
    }
}
