// SPDX-License-Identifier: Apache-2.0
/// Which messages a session has, and how far a `seq` goes in them: those of a flight (fold version
/// 2) or of a venue (version 3). Known before anything is decoded, as ``EntryRules`` are
/// (docs/protocol.md sections 5 and 32).
package enum MessageRules: Hashable, Sendable {
    /// Logs of 4096 entries; types that only venues have are unknown odd ones.
    case flight
    /// Ledgers of 32768 entries.
    case venue

    /// Those of a gathering whose id names that version of the fold.
    package init(foldVersion: Int) {
        self = foldVersion == Int(FlightKey.venueFoldVersion) ? .venue : .flight
    }

    /// The longest log that a message may name a place in.
    package var entries: Int {
        switch self {
        case .flight: Limits.entriesPerAuthor
        case .venue: Limits.entriesPerLedger
        }
    }
}
