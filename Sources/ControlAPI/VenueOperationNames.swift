// SPDX-License-Identifier: Apache-2.0
extension OperationName {
    /// Whether the agent of a venue answers it. The others are about seats, which nobody has there.
    package var worksInVenue: Bool {
        switch self {
        case .hello, .status, .peers, .who, .say, .message, .game, .play, .search, .log, .watch,
            .verify,
            .compared, .cancelVerify, .block, .unblock, .rename, .export, .addPeer, .venue,
            .checkIn, .checkOut, .friend, .day, .days, .book, .giveBack, .moveBooking, .withdrawAsk,
            .asked, .bookings, .swapBookings, .bookingSwaps, .answerSwap, .wishBookings,
            .bookingRings, .sendForm, .forms,
            .desk, .deskOpen, .deskAway, .deskAnswer, .deskBook, .deskBlock, .deskClose, .deskPaid,
            .deskVisit, .deskLate, .deskMember, .deskMove, .deskDecide, .deskBookings, .deskBackup,
            .stay,
            .forget, .down:
            true
        case .seats, .cabin, .useCabin, .answerCabin, .suggestCabin, .suggestions, .needs,
            .setNeeds, .party, .newParty, .joinParty, .inviteToParty, .answerParty, .sayToParty,
            .removeFromParty, .trustParty, .leaveParty, .wish, .offer, .withdraw, .together,
            .match, .swap, .ring, .propose, .requests, .accept, .decline, .counter, .cancel,
            .force, .undo, .receipt, .seated, .hosting, .vouch, .silence, .claim, .release,
            .takeKey:
            false
        }
    }
}
