// SPDX-License-Identifier: Apache-2.0
import Protocol

/// How an agent divides its own log into the parts that it leaves (docs/meet.md section 3).
package enum OwnBox {
    /// The parts of a log, at most four: filled greedily in order of their places, so that a part
    /// that is full never changes again. What does not fit, and everything behind an entry that is
    /// too long, is left out. O(entries).
    package static func parts(of log: [[UInt8]]) -> [[[UInt8]]] {
        var parts: [[[UInt8]]] = []
        var filled = MeetLimits.partBytes
        for entry in log {
            let size = entry.count + 3
            guard entry.count <= MeetLimits.mailedEntry else { break }
            if filled + size > MeetLimits.partBytes {
                guard parts.count < MeetLimits.parts else { break }
                parts.append([])
                filled = 0
            }
            parts[parts.count - 1].append(entry)
            filled += size
        }
        return parts
    }

    /// New entries in messages that are said once: at most 64 in each and no more than a part
    /// holds. What is too long is left out.
    package static func live(_ entries: [[UInt8]]) -> [[[UInt8]]] {
        var messages: [[[UInt8]]] = []
        var filled = MeetLimits.partBytes
        for entry in entries where entry.count <= MeetLimits.mailedEntry {
            let size = entry.count + 3
            let isFull = messages.last.map { $0.count == MeetLimits.liveEntries } ?? true
            if isFull || filled + size > MeetLimits.partBytes {
                messages.append([])
                filled = 0
            }
            messages[messages.count - 1].append(entry)
            filled += size
        }
        return messages
    }
}
