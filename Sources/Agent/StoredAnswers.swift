// SPDX-License-Identifier: Apache-2.0
import Aviation
import Protocol
package import Store

/// The passenger's answers about layouts, in the flight's file.
extension Store {
    /// All answers.
    package func cabinAnswers() throws(StoreError) -> CabinAnswers {
        var answers = CabinAnswers()
        for row in try cabinAnswerRows() {
            if !row.isTaken {
                answers.refused.append(row.hash)
            } else if let layout = try? CabinLayout.read(row.layout) {
                answers.taken = CabinAnswers.Taken(hash: row.hash, layout: layout)
            }
        }
        return answers
    }

    /// Replaces all answers by these, in one transaction.
    func keep(_ answers: CabinAnswers) throws(StoreError) {
        let refused = answers.refused.map {
            CabinAnswerRow(hash: $0, isTaken: false, layout: [])
        }
        let taken = answers.taken.map {
            CabinAnswerRow(hash: $0.hash, isTaken: true, layout: $0.layout.bytes)
        }
        try keep(refused + [taken].compactMap(\.self))
    }
}
