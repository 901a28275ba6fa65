// SPDX-License-Identifier: Apache-2.0
extension Verb {
    /// Whether it does something for the agent of a venue, where nobody has a seat.
    package var worksInVenue: Bool {
        switch self {
        case .down, .restart, .agent, .status, .peers, .who, .say, .msg, .chat, .play, .search,
            .log, .watch, .doctor, .meet, .verify, .block,
            .unblock, .rename, .export, .help, .venue, .checkin,
            .checkout, .activity, .friend, .book, .bookings, .desk, .park, .profile, .lock, .unlock,
            .places, .config,
            .completion, .completeWord, .writeManual:
            true
        case .up, .seats, .flights, .flight, .history, .forget, .cabins, .cabin, .wish, .offer,
            .withdraw, .together, .match, .swap, .ring, .requests, .accept, .decline, .counter,
            .cancel, .force, .undo, .receipt, .seated, .vouch, .silence, .claim, .release, .audit,
            .needs, .party, .board, .calendar, .lookup, .web, .host, .key:
            false
        }
    }
}
