// SPDX-License-Identifier: Apache-2.0
/// Which entries a gathering has: those of a flight (fold version 2) or of a venue (version 3).
/// Known before anything is decoded, since it is part of the gathering's name (docs/protocol.md
/// sections 8 and 32).
public enum EntryRules: Hashable, Sendable {
    /// Claims, retracts and vouches; no ledgers.
    case flight
    /// Ledgers, with charters signed by this operator; no claims, retracts and vouches.
    case venue(OperatorKey)

    /// The longest log that an entry can stand in.
    package var entries: Int {
        switch self {
        case .flight: Limits.entriesPerAuthor
        case .venue: Limits.entriesPerLedger
        }
    }

    /// Whether entries of that type are there.
    func has(_ type: Int) -> Bool {
        switch (self, type) {
        case (.flight, 10...13), (.venue, 2...3), (.venue, 9): false
        case (.flight, _), (.venue, _): true
        }
    }
}

extension GatheringName {
    /// Which entries its logs have.
    public var entryRules: EntryRules {
        switch self {
        case .flight: .flight
        case .venue(let name): .venue(name.runBy)
        }
    }
}
