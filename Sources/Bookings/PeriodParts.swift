// SPDX-License-Identifier: Apache-2.0
package import Protocol

extension Period {
    /// The period as the ledgers of several volumes hold it: each part lies in its volume
    /// (docs/protocol.md section 33). One part is the period itself. Empty for a day of which a
    /// volume has no number.
    package func parts(_ kind: Volume.Kind) -> [Period] {
        var parts: [Period] = []
        var start = self.start
        while start < end {
            guard let day = OfferedPeriods.day(of: start), let volume = Volume(kind, of: day) else {
                return []
            }
            let border = (volume.last.number + 1) * Limits.minutesOfDay
            let cut = min(end, border)
            guard let part = OfferedPeriods.period(start, cut - start) else { return [] }
            parts.append(part)
            start = cut
        }
        return parts
    }
}
