// SPDX-License-Identifier: Apache-2.0
import CDNSSD
import Glibc

/// Avahi's dns_sd library.
enum DNSServiceLibrary {
    /// Call it before the first reference is made.
    ///
    /// Avahi up to 0.8 does not clear a reference that it makes. When the daemon or the bus
    /// goes, it calls the first of the reference's four callbacks that is not `NULL`: where
    /// something is looked up, that is whatever lay there before. So all memory that it
    /// asks for begins as zeros.
    static func beginWithZeros() { _ = once }

    /// Avahi's library scolds users of dns_sd on the terminal and in the system log. Call it while
    /// no thread reads the environment; a second call changes nothing.
    static func beQuiet() { setenv("AVAHI_COMPAT_NOWARN", "1", 0) }

    private static let once: Void = dnssd_begin_with_zeros()
}
