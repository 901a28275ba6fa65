// SPDX-License-Identifier: Apache-2.0
/// The first word of a command line. Each command of the program has one, and a switch over all of
/// them says what runs.
package enum Verb: String, CaseIterable, Hashable, Sendable {
    case up
    case down
    case restart
    case agent
    case status
    case peers
    case seats
    case who
    case say
    case msg
    case chat
    case play
    case search
    case log
    case watch
    case flights
    case flight
    case history
    case forget
    case cabins
    case cabin
    case doctor
    case meet
    case wish
    case offer
    case withdraw
    case together
    case match
    case swap
    case ring
    case requests
    case accept
    case decline
    case counter
    case cancel
    case force
    case undo
    case receipt
    case seated
    case verify
    case vouch
    case block
    case unblock
    case silence
    case rename
    case claim
    case release
    case audit
    case export
    case help
    case needs
    case party
    case board
    case calendar
    case lookup
    case venue
    case checkin, checkout, activity, friend
    case book, bookings, desk
    case park
    case profile
    case lock
    case unlock
    case key
    case places
    case web, host
    case config
    case completion
    case completeWord = "__complete"
    case writeManual = "__manual"
}
