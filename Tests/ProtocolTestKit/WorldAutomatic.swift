// SPDX-License-Identifier: Apache-2.0
package import Protocol

extension World {
    /// What the program around a core does after each turn: it says yes for its user to what came,
    /// where they said before that it may. Gives what was said, or why not, to each request that
    /// was not looked at before.
    @discardableResult
    package mutating func answerByItself(
        _ index: Int, _ automatic: inout AutomaticYes, _ known: KnownSeats, isWarned: Bool = false
    ) -> [Result<AutomaticYes.Given, AutomaticYes.Why>] {
        automatic.fresh(hosts[index].node.swaps.records).map { record in
            let request = hosts[index].node.automatic(
                record, known, isWarned: isWarned, at: now)
            let answer = automatic.answer(request, at: now.utc)
            if case .success(let yes) = answer {
                feed(
                    index,
                    .intent(
                        900_000 + record.number,
                        .accept(record.number, override: false, of: yes.contract)))
            }
            return answer
        }
    }
}
