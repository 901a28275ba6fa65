// SPDX-License-Identifier: Apache-2.0
/// Every limit of this module with its number and its reason.
package enum DiscoveryLimits {
    /// One second in nanoseconds: the unit of every time in this module.
    package static let second: Int64 = 1_000_000_000

    /// References that look something up at the same time: each costs a thread and a connection to
    /// the system bus, and the worker asks the daemon for no more than 160 of them in a second.
    package static let lookups = 8

    /// Nanoseconds that the tries of one lookup may take before its reference is given back. What a
    /// daemon knows is there in a few milliseconds, and what it has to ask for after the
    /// first try: so 500 labels that somebody made up take seven seconds of all that
    /// wait, and not ten minutes.
    package static let lookupTimes: [Int64] = [second / 10, 1 * second, 5 * second]

    /// Nanoseconds the other address family may still take after the first address of a peer.
    /// Both are in the daemon's cache by then; an IPv4-only peer must not hold a place for 5 s.
    package static let addressGrace = second / 10

    /// Milliseconds that the answer to one question for an address is waited for before the next
    /// one is asked; it comes in one where the daemon knows it.
    package static let addressFirst: Int32 = 5

    /// Milliseconds for which all else waits until the daemon has been asked the first
    /// time. Loading its library and asking takes three to five; with a daemon that hangs
    /// nothing is lost but these.
    package static let head: Int32 = 20

    /// Waits between the tries of a failed lookup. Lookups not tried yet always go first. After the
    /// last one the label has to be announced again.
    package static let lookupRetries: [Int64] = [0, 1 * second, 5 * second, 30 * second]

    /// Waits between the tries to reach the daemon. The last one repeats.
    package static let daemonRetries: [Int64] = [1, 2, 4, 8, 16, 30].map { $0 * second }

    /// Nanoseconds a registration may stay unconfirmed before people are told. Three probes of
    /// 250 ms are usual, twice that after a change of the host name.
    package static let silence = 10 * second

    /// Nanoseconds a new browse has to show a label known from before; then it is lost. The
    /// browser asks at 0, 1 and 3 s.
    package static let confirmation = 10 * second

    /// Labels known at the same time: more than the seats of the largest aircraft (853).
    package static let labels = 1024

    /// Addresses kept of one label: four interfaces with four addresses each.
    package static let addressesPerLabel = 16

    /// Interfaces of ours on which one label is followed.
    package static let interfacesPerLabel = 8

    /// Own labels remembered, so that a late echo of an earlier one is not taken for a peer.
    package static let ownLabels = 8

    /// Bytes of a host name (RFC 1035, 2.3.4, with room for the final dot).
    package static let hostName = 256

    /// Nanoseconds for which venues are looked for: the question goes out at 0, 1 and 3 s, and
    /// whoever asked gets an answer within three seconds in all.
    package static let venueSearch = 2 * second + second / 2

    /// Nanoseconds without anything new after which the search for venues ends earlier, once
    /// something was found: by then the second question has its answers too.
    static let venueCalm = 1 * second + second / 5

    /// Nanoseconds that the tries to read one venue's record may take: what the daemon knows is
    /// there in a few milliseconds, so 500 made-up venues do not keep it from a real one.
    static let venueTimes: [Int64] = [second / 10, 1 * second]

    /// Bytes of a venue's TXT record: 96 are needed, and later versions may add to them; what
    /// is longer than RFC 6763 section 6.2 advises is none.
    package static let venueText = 400

    /// Reports the worker may have waiting before it stops reading from the daemon.
    package static let reports = 4096
}
