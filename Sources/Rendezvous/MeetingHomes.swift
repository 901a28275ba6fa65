// SPDX-License-Identifier: Apache-2.0
import Protocol

/// Which brokers a meeting is connected to (docs/meet.md section 5).
extension Meeting {
    /// The pool is another one. A home that is none any more is visited for a while: not everybody
    /// has looked the pool up yet.
    mutating func pool(
        _ brokers: [MeetBroker], _ effects: inout MeetEffects, at now: Instant
    ) {
        let wanted = MeetPool.homes(
            of: setup.keys.pool, among: brokers, primitives: setup.primitives)
        var next = wanted.map { broker in
            var home = homes.first { $0.broker == broker } ?? MeetHome(broker)
            home.leavesAt = nil
            return home
        }
        // Those that left last come first in line, as they stood.
        let left = homes.filter { !$0.isOld } + homes.filter(\.isOld)
        for var home in left where !wanted.contains(home.broker) {
            guard next.count < wanted.count + MeetLimits.oldHomes else {
                letGo(home, &effects)
                continue
            }
            home.leavesAt = home.leavesAt ?? now + MeetLimits.oldHomeStay
            next.append(home)
        }
        homes = next
    }

    /// Lets homes of before go once everybody has moved.
    mutating func forgetOldHomes(_ effects: inout MeetEffects, at now: Instant) {
        let over = homes.filter { $0.leavesAt.map { $0 <= now } ?? false }
        guard !over.isEmpty else { return }
        for home in over { letGo(home, &effects) }
        homes.removeAll { over.contains($0) }
    }

    private func letGo(_ home: MeetHome, _ effects: inout MeetEffects) {
        if home.isWanted { effects.asks.append(MeetAsk(home.broker, .disconnect)) }
    }

    /// Whether a home has a connection for as long as things stand as they do: the first one
    /// always, the second one while the first is gone, and old ones while both are.
    func isLasting(_ index: Int) -> Bool {
        if index == 0 { return true }
        return homes[index].isOld
            ? !homes.contains { $0.isUp && !$0.isOld } : !homes[0].isUp
    }

    /// Whether a connection is needed, whatever is visited.
    func isNeeded(_ index: Int) -> Bool {
        isLasting(index) || tunnels?.uses(homes[index].broker) ?? false
    }

    /// Connects to a home that is needed, for good or for a visit, and lets one go that is not.
    mutating func attend(_ index: Int, _ effects: inout MeetEffects, at now: Moment) {
        let hasMail = mail.isLaid(homes[index].mail) { passengers.knows($0) }
        homes[index].compare(with: own, hasMail: hasMail, at: now.instant)
        let isVisited = homes[index].isVisited(at: now.instant)
        let isNeeded = isNeeded(index) || isVisited
        switch homes[index].attend(isNeeded: isNeeded, at: now.instant, random: &random) {
        case .connect: effects.asks.append(MeetAsk(homes[index].broker, .connect))
        case .disconnect: effects.asks.append(MeetAsk(homes[index].broker, .disconnect))
        case nil: break
        }
    }
}
