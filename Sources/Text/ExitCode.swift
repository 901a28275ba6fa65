// SPDX-License-Identifier: Apache-2.0
/// The exit codes of the program (docs/control.md, "Errors").
package enum ExitCode: Int32, CaseIterable, Sendable {
    /// Done.
    case done = 0
    /// Failed; the message says how.
    case failed = 1
    /// The command line is wrong.
    case usage = 2
    /// No agent, or none that answers.
    case noAgent = 3
    /// No such seat, passenger or request.
    case notFound = 4
    /// Time ran out while waiting.
    case timeout = 5
    /// The other side said no: declined, expired, withdrawn.
    case refused = 6
    /// Changed meanwhile: seat taken, already answered.
    case changed = 7
    /// Not allowed: another user's agent, a blocked passenger, a key that is not the verified one.
    case notAllowed = 8
    /// Something keeps this machine from reaching others; `doctor` says what.
    case apart = 9
    /// Interrupted.
    case interrupted = 130

    /// What it means, for the help text.
    package var meaning: String {
        switch self {
        case .done: "done"
        case .failed: "failed (the message says how)"
        case .usage: "command line wrong"
        case .noAgent: "no agent, or not reachable"
        case .notFound: "no such seat, passenger or request"
        case .timeout: "time ran out while waiting"
        case .refused: "the other side said no: declined, expired, withdrawn"
        case .changed: "changed meanwhile: seat taken, already answered"
        case .notAllowed: "not allowed: another user's agent, a blocked passenger, another key"
        case .apart: "something keeps you from others (doctor)"
        case .interrupted: "interrupted"
        }
    }
}

/// The names of everything that can go wrong, as scripts see them in `error.code`.
package enum ErrorCode: String, CaseIterable, Sendable {
    // The command line and the request
    case usage
    case badRequest = "bad-request"
    case unknownOperation = "unknown-op"
    case emptyText = "empty-text"
    case tooLong = "too-long"
    case ambiguous
    case whichSeat = "which-seat"
    case nameRefused = "name-refused"
    // The profile
    case locked
    case wrongPassphrase = "wrong-passphrase"
    case notConfirmed = "not-confirmed"
    // The agent
    case noAgent = "no-agent"
    case unreachable
    case notYourAgent = "not-your-agent"
    case alreadyRunning = "already-running"
    case tooManyClients = "too-many-clients"
    case noStart = "no-start"
    // Seats, passengers, requests
    case noSuchSeat = "no-such-seat"
    case emptySeat = "empty-seat"
    case noSuchPassenger = "no-such-passenger"
    case noSuchRequest = "no-such-request"
    case noSuchFlight = "no-such-flight"
    case noSuchCabin = "no-such-cabin"
    case noSuchVenue = "no-such-venue"
    case noSuchPlace = "no-such-place"
    case noSuchRecord = "no-such-record"
    case noSuchBooking = "no-such-booking"
    case noReceipt = "no-receipt"
    case ownSeat = "own-seat"
    case notYours = "not-yours"
    case yourself
    case disputed
    case blocked
    case keyChanged = "key-changed"
    case alreadySo = "already-so"
    case tooManyClaims = "too-many-claims"
    case nothingFound = "nothing-found"
    // Swaps
    case windowEarly = "window-early"
    case windowClosed = "window-closed"
    case declined
    case expired
    case withdrawn
    case changed
    case aborted
    case stranded
    case againstRules = "against-rules"
    case notAllowedNow = "not-now"
    case alarm
    // Bookings
    case full
    case closed
    case quota
    case tooSoon = "too-soon"
    case tooFar = "too-far"
    case notJoined = "not-joined"
    case deskAway = "desk-away"
    case twoDesks = "two-desks"
    case badRoster = "bad-roster"
    // Writing
    case logClosed = "log-closed"
    case logFull = "log-full"
    case outboxFull = "outbox-full"
    // The network
    case networkTrouble = "network-trouble"
    // Waiting and files
    case timeout
    case noOneAboard = "no-one-aboard"
    case gaveUp = "gave-up"
    case file
    case badConfig = "bad-config"
    case badCertificate = "bad-certificate"
    case badRecords = "bad-records"
    case recordsLost = "records-lost"
    case badPass = "bad-pass"
    case badCabin = "bad-cabin"
    case badVenue = "bad-venue"
    case badPlaces = "bad-places"
    case failed

    /// The exit code of a command that ends with this.
    package var exit: ExitCode {
        switch self {
        case .usage, .badRequest, .unknownOperation, .emptyText, .tooLong, .ambiguous, .whichSeat,
            .nameRefused:
            .usage
        case .noAgent, .unreachable, .tooManyClients: .noAgent
        case .noSuchSeat, .emptySeat, .noSuchPassenger, .noSuchRequest, .noSuchFlight, .noSuchCabin,
            .noSuchVenue, .noSuchPlace, .noSuchRecord, .noSuchBooking, .noReceipt:
            .notFound
        case .timeout, .noOneAboard, .gaveUp, .deskAway: .timeout
        case .declined, .expired, .withdrawn: .refused
        case .changed: .changed
        case .networkTrouble: .apart
        case .notYourAgent, .blocked, .keyChanged, .locked, .wrongPassphrase, .notConfirmed:
            .notAllowed
        case .alreadyRunning, .noStart, .ownSeat, .notYours, .yourself, .disputed, .alreadySo,
            .tooManyClaims, .nothingFound, .windowEarly, .windowClosed, .aborted, .stranded,
            .againstRules,
            .notAllowedNow,
            .alarm, .full, .closed, .quota, .tooSoon, .tooFar, .notJoined, .twoDesks, .badRoster,
            .logClosed, .logFull, .outboxFull, .file, .badConfig, .badCertificate, .badRecords,
            .recordsLost,
            .badPass, .badCabin, .badVenue, .badPlaces, .failed:
            .failed
        }
    }
}
