// SPDX-License-Identifier: Apache-2.0
package import Protocol

/// How long a connection to a broker may take, and how much may wait on it.
package struct BrokerLimits: Hashable, Sendable {
    /// From the question for the address until TLS stands; then so long again until the broker took
    /// the login.
    package var patience = TimeSpan.seconds(10)
    /// One address of several is tried for so long.
    package var attempt = TimeSpan.seconds(4)
    /// Seconds after which a quiet broker is asked for a sign of life; it has as long again.
    package var keepAlive: Int32 = 25
    /// The brokers of a pool are looked up again after so long,
    package var lookup = TimeSpan.seconds(6 * 3600)
    /// and after a failure, but not more often than this.
    package var lookupAgain = TimeSpan.seconds(60)

    /// As in ordinary life.
    package init() {}

    /// Bytes that wait between a broker and the library, each way.
    static let buffer = 64 * 1024
    /// Bytes of a packet, with its head: the largest message with its topic and properties fits.
    static let packet = 20_000
    /// Bytes of a message of this agent's with topic and properties.
    static let ownPacket: UInt32 = 16_600
    /// Messages that the broker has not confirmed yet.
    static let unconfirmed = 512
    /// Messages of this agent's that are under way.
    static let underWay: Int32 = 20
    /// Messages of a broker's that are: it waits for a confirmation after so many, which over a
    /// long road is most of the time that boxes take to read.
    static let underWayHere: Int32 = 200
    /// What a broker may make of ``keepAlive``, in seconds.
    static let keepAlives: ClosedRange<UInt16> = 1...60
    /// Messages that a broker may send at once: twice the boxes of a full flight.
    static let messages = 10_000
    /// And in a second, after that.
    static let messagesPerSecond = 200
    /// Packets that the library reads in one turn of the loop.
    static let packetsPerTurn = 64
}
