// SPDX-License-Identifier: Apache-2.0
import Protocol

/// A connection: a stream of bytes each way, in order, whatever happens to it.
struct SimWire {
    /// One end.
    struct End {
        let host: Int
        /// Which start of the host it belongs to.
        let process: Int
        let link: LinkID
        var isUp = true
        /// The core wants nothing read.
        var isHeld = false
        /// The core said that the other end belongs to the flight.
        var isProven = false
        /// Since when the session is open.
        var provenAt: Int64 = 0
    }

    /// Bytes under way, or the end of the stream.
    struct Segment {
        var bytes: [UInt8]
        let at: Int64
        var isEnd = false
    }

    /// What is under way towards one end.
    struct Way {
        var queue: [Segment] = []
        var first = 0
        /// When the last of them arrives.
        var last: Int64 = 0
        /// Faults that hold it up.
        var blocks = 0
        /// Read a little at a time.
        var isSlow = false
        /// Bytes that the sender counts as not taken yet.
        var undrained = 0
        var waiting = 0
        /// When its arrival is noted for; behind now for never.
        var armed: Int64 = -1

        var isEmpty: Bool { first >= queue.count }
        var next: Segment? { isEmpty ? nil : queue[first] }

        mutating func drop() {
            queue = []
            first = 0
            waiting = 0
        }

        mutating func pop() {
            waiting -= queue[first].bytes.count
            first += 1
            if first > 16, first * 2 > queue.count {
                queue.removeFirst(first)
                first = 0
            }
        }
    }

    var ends: InlineArray<2, End>
    /// Towards the end of the same number.
    var ways: InlineArray<2, Way> = [Way(), Way()]
    /// One way, in nanoseconds.
    let latency: Int64
    /// More than that, for a while.
    var extra: Int64 = 0

    /// When it was last held up.
    var blockedAt: Int64 = 0

    var isDead: Bool { !ends[0].isUp && !ends[1].isUp }

    /// The link of an end: wires and links have one numbering.
    static func link(_ wire: Int, _ end: Int) -> LinkID { LinkID(2 * wire + end + 1) }

    /// Where a link is: which wire, which end.
    static func place(_ link: LinkID) -> (wire: Int, end: Int) {
        ((link.number - 1) / 2, (link.number - 1) % 2)
    }
}
