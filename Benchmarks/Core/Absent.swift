import Protocol

// The store's files name this in a part of theirs that is not measured. It belongs to the life of files,
// which would bring half of the agent with it.

/// When a flight is over.
enum FlightLife {
    static func end(of flight: FlightName, window: SelectionWindow?) -> UTCTime? { nil }
}
