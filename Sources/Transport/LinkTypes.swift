// SPDX-License-Identifier: Apache-2.0
package import Protocol
package import System

/// What a ``PeerLink`` tells its owner, in this order: at most one `established`, then `received`
/// and `drained` in any order, then exactly one `closed`.
package enum LinkEvent: Equatable, Sendable {
    /// TLS stands: the peer's Ed25519 key and the exporter of this connection, 32 bytes each.
    /// Whether a server accepts our certificate shows only with its first bytes.
    case established(peerKey: [UInt8], exporter: [UInt8])
    /// Plaintext, at least one byte, about 64 KiB at most.
    case received([UInt8])
    /// A quarter of `Limits.inFlight` or more was taken since this was last told, or the last of
    /// what waited then: `pending` bytes have not reached the kernel yet. Whoever sends less than
    /// that has room for more anyway.
    case drained(pending: Int)
    /// It is over; the descriptor is closed and nothing more comes.
    case closed(LinkEnd)
}

/// How a connection ended.
package enum LinkEnd: Equatable, Sendable {
    /// ``PeerLink/close(flushFor:)`` ran to its end.
    case closedHere
    /// ``PeerLink/abort()``.
    case aborted
    /// The peer said good-bye in TLS.
    case closedByPeer
    /// The stream ended without the good-bye of TLS.
    case cut
    /// The connection could not be made, or the kernel gave it up.
    case failed(SystemError)
    /// No answer to the connection attempt in time.
    case connectTimeout
    /// No end of the TLS handshake in time.
    case handshakeTimeout
    /// Whoever connected did not begin TLS in time.
    case silent
    /// There were too many strangers, and this one was replaced by a newcomer.
    case replaced
    /// TLS failed.
    case tls(TLSFailure)
    /// Bytes waited and the peer took none for too long.
    case slow
}

/// Where a link is in its life.
enum LinkState {
    /// May become: handshaking, closed.
    case connecting
    /// May become: open, closed.
    case handshaking
    /// May become: closing, closed.
    case open
    /// Flushing, then waiting for the peer to close too. May become: closed.
    case closing
    /// Stays.
    case closed
}

/// The numbers of a connection below the frames. Those of frames stand in `Limits`.
package struct LinkLimits: Sendable {
    /// For the connection attempt: a host of the same network answers in milliseconds.
    package var connectTime = TimeSpan.seconds(5)
    /// For the TLS handshake: 1 ms of work, so a stranger's slot is free again soon.
    package var handshakeTime = TimeSpan.seconds(5)
    /// For the first bytes of TLS of whoever connected: they come right behind the connection,
    /// after one lost packet too.
    package var firstBytesTime = TimeSpan.seconds(1)
    /// For a peer that takes no bytes while some wait (docs/protocol.md section 7).
    package var stallTime = TimeSpan.seconds(20)
    /// For unacknowledged bytes: `TCP_USER_TIMEOUT` (docs/protocol.md section 7).
    package var userTimeout = TimeSpan.seconds(20)
    /// The longest flush of a closing connection: a CLOSE should arrive, but must not hold us up.
    package var flushTime = TimeSpan.seconds(1)
    /// Unproven connections from one place, see ``AcceptGate``: a room behind one NAT, not a flood.
    package var unprovenPerPlace = 4
    /// Unproven connections in all: 32 handshakes are 40 ms of work.
    package var unproven = 32
    /// An unproven connection of this age goes before a younger one: an honest one has proved
    /// itself by then, on a slow network too.
    package var unprovenOld = TimeSpan.milliseconds(500)
    /// Connections taken in one turn of the loop, so that open ones are served in between.
    package var acceptsPerTurn = 16
    /// How long the listener pauses when the process has no descriptor or memory left.
    package var acceptPause = TimeSpan.seconds(1)

    /// The numbers of docs/protocol.md section 7.
    package init() {}
}

/// What all connections of one agent share.
///
/// One object: as a value it took 300 bytes of each link and as many of its socket.
package final class LinkEnvironment {
    /// The loop they live on.
    package let loop: EventLoop
    /// The TLS profile and identity.
    package let context: TLSContext
    /// Times and counts.
    package let limits: LinkLimits
    /// The kernel, or a test's replacement.
    package let syscalls: Syscalls

    /// The parts together.
    package init(
        loop: EventLoop, context: TLSContext, limits: LinkLimits = LinkLimits(),
        syscalls: Syscalls = Syscalls()
    ) {
        self.loop = loop
        self.context = context
        self.limits = limits
        self.syscalls = syscalls
    }
}
