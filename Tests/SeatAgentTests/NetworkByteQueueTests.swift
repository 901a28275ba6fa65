// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SeatAgent
@testable import Transport

@Suite struct NetworkByteQueueTests {
    private func append(_ bytes: [UInt8], to queue: inout ByteQueue) {
        bytes.withUnsafeBytes { queue.append($0) }
    }

    @Test func bytesComeOutInOrderInPiecesOfAnySize() {
        var queue = ByteQueue()
        var (sent, taken): ([UInt8], [UInt8]) = ([], [])
        for round in 1...200 {
            let bytes = (0..<round * 17).map { UInt8(truncatingIfNeeded: $0 &+ round) }
            append(bytes, to: &queue)
            sent += bytes
            taken += queue.withFront(round * 16) { Array($0) }
            queue.drop(min(round * 16, queue.count))
        }
        #expect(queue.count == sent.count - taken.count)
        taken += queue.withFront(queue.count) { Array($0) }
        #expect(taken == sent)
    }

    @Test func storageOfABurstIsGivenBackWhenLittleFollows() {
        var queue = ByteQueue()
        append([UInt8](repeating: 1, count: 100_000), to: &queue)
        queue.drop(100_000)
        #expect(queue.isEmpty && queue.capacity >= 100_000)
        append([1, 2, 3], to: &queue)
        queue.drop(3)
        #expect(queue.isEmpty && queue.capacity < 100_000)
    }

    /// Of hundreds of quiet links none keeps the room of a list of addresses; each keeps that of a
    /// keep-alive.
    @Test func aQuietLinkKeepsTheRoomOfAKeepAlive() {
        var queue = ByteQueue()
        append([UInt8](repeating: 1, count: 2000), to: &queue)
        queue.drop(2000)
        #expect(queue.capacity == 0)
        append([UInt8](repeating: 1, count: 40), to: &queue)
        queue.drop(40)
        #expect((40...256).contains(queue.capacity))
    }
}
