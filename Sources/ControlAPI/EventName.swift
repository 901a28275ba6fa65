// SPDX-License-Identifier: Apache-2.0
import Text

/// What a client can watch: the names of the events on the control socket.
package enum EventName: String, Vocabulary {
    /// A passenger came aboard, left, or took another name.
    case peer
    /// A line to everyone.
    case chat
    /// A direct message came, or an own one got further.
    case message
    /// A seat is offered, or the offer is taken back.
    case offer
    /// A seat has other holders than before.
    case seat
    /// Somebody asks, and an answer is wanted.
    case request
    /// A negotiation moved.
    case swap
    /// Somebody of a swap of the user's sits in their new seat, or does not any more.
    case seated
    /// A verification by voice moved.
    case verify
    /// Something happened in the user's party of companions.
    case party
    /// The cabin is drawn by another layout.
    case cabin
    /// The passenger is asked whether it shall be drawn by a layout that others
    /// agree on, or is not any more.
    case layout
    /// The computer is kept from sleeping until a swap is decided, or may sleep again.
    case awake
    /// The computer slept: what is open now.
    case woke
    /// Somebody came to a place of the venue or left one.
    case attendance
    /// Something became of an ask for the desk, or the bookings of the venue have changed.
    case booking
    /// Something is wrong with more than one message.
    case trouble
    /// Seats can be swapped from now on, or not any more.
    case window
    /// The agent has caught up and may write its log.
    case ready
}
