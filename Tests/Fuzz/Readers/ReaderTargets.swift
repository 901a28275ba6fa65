// SPDX-License-Identifier: Apache-2.0
import FuzzKit

extension FuzzTarget {
    /// What only decodes has a small program of its own, in which it is fastest.
    static let readers = [
        FuzzTarget(name: "frames", longest: 1024, run: FramesTarget.run),
        FuzzTarget(name: "cbor", longest: 1024, run: CBORTarget.run),
        FuzzTarget(name: "libcbor", longest: 1024, run: LibCBORTarget.run),
        FuzzTarget(name: "messages", longest: 4096, run: MessagesTarget.run),
        FuzzTarget(name: "seatsets", longest: 256, run: SeatSetsTarget.run),
    ]
}
