// SPDX-License-Identifier: Apache-2.0
import Simulation
import Testing

extension Totals {
    /// What happened in runs of these seeds. A failure comes with the line that plays it again.
    init(of seeds: some Sequence<UInt64>, _ options: SimOptions) {
        self.init()
        for seed in seeds {
            let outcome = SimWorld.run(seed: seed, options)
            add(outcome.totals)
            if let failure = outcome.failure {
                let replay = "seatsim --seed \(seed) \(options.text)"
                Issue.record("\(failure.rule): \(failure.text); replay: \(replay)")
            }
        }
    }
}
