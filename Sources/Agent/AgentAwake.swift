// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import CivilTime
import Notify
import Protocol
import System
import Wording

/// Keeping the computer awake, and noticing that it slept.
extension Agent {
    /// Keeps the computer awake while a swap has no outcome, and lets it sleep after that.
    func keepAwake() {
        let now = SystemClock.utc()
        let isWanted = node.swapRecords.contains { $0.keepsAwake(node.me, at: now) }
        awake.want(isWanted)
        guard isWanted, !isLookingAgain else { return }
        // The passing of time alone may end it.
        isLookingAgain = true
        loop.schedule(at: loop.clock() + .seconds(10)) { [weak self] in
            self?.isLookingAgain = false
            self?.keepAwake()
        }
    }

    /// Says what is open, if the computer has slept.
    func tellWake() {
        var counting = SystemClock.now()
        #if DEBUG
            counting = counting + SleepWatch.pretended
        #endif
        guard let slept = sleepWatch.slept(counting, SystemClock.awake()) else { return }
        Log.line("the computer slept for \(SpanText.words(slept))")
        server?.tellWake(slept)
        guard server?.watchers ?? 0 == 0 else { return }
        let text = WakeText(WokeNews(self, slept: slept))
        if text.isAnythingOpen { windowCaller.call(Call(kind: .outcome, body: text.sentence)) }
    }
}

extension Node {
    /// Whether others wait for an outcome that needs this agent: a swap that was just agreed or is
    /// stranded, a yes that stands, or a vote (docs/protocol.md section 16).
    func isBound(at now: UTCTime) -> Bool {
        !swaps.locks.isEmpty || swaps.records.contains { $0.bindsAgent(me, at: now) }
    }
}

extension SwapRecord {
    /// Whether an agent that leaves keeps others from its outcome.
    func bindsAgent(_ me: PeerKey, at now: UTCTime) -> Bool {
        switch RequestFacts(self, me: me).state {
        case .stranded: true
        // A yes to a swap of several stands until the request ends.
        case .agreed where stage == .ready: now < expires
        // Whoever asked may have gone for good, and nothing is signed yet.
        case .agreed: now.seconds - updated.seconds < 120
        case .open, .final, .declined, .withdrawn, .expired, .failed: false
        }
    }
}
