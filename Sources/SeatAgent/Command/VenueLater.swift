// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Launch
import Protocol
import System
import Text
import Venues

/// The ledgers of later days, which people book in before they begin. Each has an agent of its own
/// beside that of today.
extension VenueAgent {
    /// Agents of one venue at once, with that of today.
    private static let most = 4

    /// The volumes behind that of today into which the days reach that can be booked (where the
    /// venue names no end of them, the next one), and those that reached so far when their agents
    /// were started.
    func laterVolumes() throws(UserError) -> [Protocol.Volume] {
        guard let now = clock?.date.venueDay,
            let today = venue.volume(at: SystemClock.utc(), zone)
        else { return [] }
        let end = venue.rules.ahead.map { now.adding($0) } ?? today.next?.first
        guard let end else { return [] }
        var found: [Protocol.Volume] = []
        while found.count < Self.most - 1, let next = (found.last ?? today).next, next.first <= end
        {
            found.append(next)
        }
        let started = LaterFiles.volumes(place).filter { days in
            days.kind == today.kind && days.first > today.last && !found.contains(days)
        }
        return Array((found + started).sorted { $0.first < $1.first }.prefix(Self.most - 1))
    }

    /// The agent of the ledger with that day: its own for later days, this one for all others.
    func of(_ day: VenueDay) throws(UserError) -> VenueAgent {
        guard later == nil, day > (try name().volume.last),
            let volume = try laterVolumes().first(where: { $0.contains(day) })
        else { return self }
        return try VenueAgent(call, known, later: volume)
    }

    /// The last day of the last ledger that people book in already.
    func lastDay() throws(UserError) -> VenueDay {
        let last = try name().volume.last
        return try laterVolumes().last.map { max($0.last, last) } ?? last
    }

    /// The agents of later days, whether they run or not.
    func laterAgents() throws(UserError) -> [VenueAgent] {
        var agents: [VenueAgent] = []
        for volume in try laterVolumes() {
            agents.append(try VenueAgent(call, known, later: volume))
        }
        return agents
    }

    /// Those of them that run as desks of this computer.
    func laterDesks() throws(UserError) -> [VenueAgent] {
        try laterRunning().filter { $0.hasLedgerDesk }
    }

    /// Those of them that run.
    func laterRunning() throws(UserError) -> [VenueAgent] {
        try laterAgents().filter { agent in (try? agent.status()) != nil }
    }
}
