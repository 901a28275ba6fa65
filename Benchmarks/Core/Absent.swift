import Protocol

// The store's files name these in parts of theirs that are not measured. They belong to commands and to
// the life of files, which would bring half of the agent with them.

/// Why a query is refused.
enum ErrorCode {
    case tooLong
    case emptyText
}

/// What a person would be told.
struct UserError: Error {
    let what: String

    init(_ code: ErrorCode, _ what: String, why: String? = nil, advice: String? = nil) {
        self.what = what
    }
}

/// When a flight is over.
enum FlightLife {
    static func end(of flight: FlightName, window: SelectionWindow?) -> UTCTime? { nil }
}
