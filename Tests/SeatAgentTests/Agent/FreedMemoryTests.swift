// SPDX-License-Identifier: Apache-2.0
import Glibc
import Protocol
import Testing

@testable import SeatAgent
@testable import System

@Suite struct FreedMemoryTests {
    private let clock = HandClock()
    private let loop: EventLoop

    init() throws {
        let clock = clock
        loop = try EventLoop(clock: { clock.now })
    }

    /// Which of the whole pages of `blocks` the system has given memory.
    private func resident(_ blocks: [UnsafeMutableRawPointer]) -> Int {
        blocks.count { block in
            let page = UnsafeMutableRawPointer(bitPattern: (UInt(bitPattern: block) + 4095) & ~4095)
            var isThere: UInt8 = 0
            return mincore(page, 4096, &isThere) == 0 && isThere & 1 == 1
        }
    }

    /// A sanitizer has an allocator of its own, which keeps what was freed (`scripts/sanitize`).
    private static let isSanitized = getenv("ASAN_OPTIONS") != nil || getenv("TSAN_OPTIONS") != nil

    /// Blocks of two pages, so that each has a whole one in it; most of
    /// them freed between the rest.
    @Test(.disabled(if: Self.isSanitized)) func whatWasFreedBetweenOthersGoesBack() throws {
        let freed = FreedMemory(loop)
        var (kept, gone): ([UnsafeMutableRawPointer], [UnsafeMutableRawPointer]) = ([], [])
        for number in 0..<4096 {
            let block = try #require(malloc(8192))
            memset(block, 1, 8192)
            if number % 64 == 0 { kept.append(block) } else { gone.append(block) }
        }
        defer { for block in kept { free(block) } }
        for block in gone { free(block) }
        freed.comes(LinkID(1))
        freed.comes(LinkID(2))
        clock.now =
            clock.now + TimeSpan(nanoseconds: FreedMemory.after.nanoseconds - 1)
        loop.turn(waitingAtMost: .zero)
        // Others of this process may have some of it by now.
        #expect(resident(gone) > gone.count * 3 / 4)
        clock.now = clock.now + TimeSpan(nanoseconds: 1)
        loop.turn(waitingAtMost: .zero)
        #expect(resident(gone) < gone.count / 4)
    }

    /// A dial that nobody answers wakes nobody up again.
    @Test func onlyWhatWasALinkIsFollowedByALook() {
        let freed = FreedMemory(loop)
        freed.goes(LinkID(1))
        #expect(!freed.isDue)
        freed.comes(LinkID(2))
        #expect(freed.isDue)
        clock.now = clock.now + FreedMemory.after
        loop.turn(waitingAtMost: .zero)
        freed.goes(LinkID(2))
        #expect(freed.isDue)
    }
}
