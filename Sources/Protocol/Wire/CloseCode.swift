// SPDX-License-Identifier: Apache-2.0
/// Why a connection ends. The number goes to the peer; the words are for people on this side.
package enum CloseCode: Int, CaseIterable, Sendable {
    /// The agent leaves.
    case leaving = 0
    /// No membership proof matched: the other is on another flight.
    case noCommonFlight = 1
    /// Same flight, other rules of the fold.
    case otherFoldVersion = 2
    /// No common minor version.
    case noCommonVersion = 3
    /// A frame longer than allowed, or of length 0.
    case badLength = 4
    /// A payload that is not what its type says.
    case badPayload = 5
    /// An unknown or reserved even type.
    case unsupported = 6
    /// A known frame that does not belong in this state.
    case unexpected = 7
    /// An entry that can never be valid: wrong signature, wrong flight.
    case badEntry = 8
    /// Too much too fast.
    case tooMuch = 9
    /// HELLO did not come in time.
    case tooSlow = 10
    /// Nothing was heard for too long.
    case silent = 11
    /// Another connection to the same peer stays.
    case duplicate = 12
    /// The peer rests after a fault. Who is blocked hears nothing at all.
    case resting = 13
    /// No room for another connection.
    case full = 14
    /// The same key runs in a second process.
    case keyRunsTwice = 15
    /// A link made for one purpose, or one too many: nobody needs it now.
    case notNeeded = 16
}
