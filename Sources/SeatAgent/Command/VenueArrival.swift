// SPDX-License-Identifier: Apache-2.0
import CivilTime
import ControlAPI
import Launch
import Protocol
import System
import Text
import Venues

/// The first visit to a venue of which only the sign at the door is known. Its agent joins the
/// others there, one of them sends the operator's words, and the list keeps those.
struct VenueArrival {
    private let process: VenueProcess

    private var known: KnownVenue { process.known }

    init(_ call: Invocation, _ known: KnownVenue) throws(UserError) {
        process = try VenueProcess(call, known)
    }

    /// How long to wait in all, unless `--timeout` says so.
    private static let patience = 20
    /// How long to wait for the first link in one volume before another is tried.
    private static let lonely = TimeSpan.seconds(7)
    private static let pause = TimeSpan.milliseconds(100)

    /// Waits for the words. Throws `timeout`; the agent then goes on looking for them.
    func words() throws(UserError) -> KnownVenue {
        process.call.hint("Asking the agents at \(known.slug) what its operator says.")
        let end =
            SystemClock.now()
            + .seconds(Int64(process.call.timeout ?? Self.patience))
        let names = Self.names(known)
        guard let first = names.first else {
            throw UserError(
                .failed, "this computer's clock shows a year that nobody means", advice: "date")
        }
        // One that waits since an earlier command may have them already.
        let running = try process.status()
        let ours = running?.runBy == known.runBy.text ? running : nil
        if let ours, let known = try taken(ours) { return known }
        var current = ours?.volume
        for name in names where name == first || SystemClock.now() < end {
            if name.volume.text != current { try restart(name) }
            current = name.volume.text
            if let known = try wait(until: end, isLast: name == names.last) { return known }
        }
        // Where most people are who come later.
        if current != first.volume.text { try restart(first) }
        throw UserError(
            .timeout, "what \(known.slug) says about itself is not here yet",
            why: "nobody who has it was met; your agent goes on looking for them",
            advice: "seatagent venue open \(ShellWord.quoted(known.slug))")
    }

    /// The volumes that it may be now at the venue, whose clocks are not known: first by this
    /// computer's clock.
    static func names(
        _ known: KnownVenue, at now: UTCTime = SystemClock.utc()
    ) -> [VenueName] {
        let local = LocalDay(now).flatMap { Protocol.Volume($0.text) }?.first
        let elsewhere = [Int64(0), -12, 14].map { (hours: Int64) -> VenueDay? in
            let seconds = now.seconds - Self.firstDay + hours * 3600
            return VenueDay(number: Int(seconds / 86_400))
        }
        var names: [VenueName] = []
        for day in ([local] + elsewhere).compactMap(\.self) {
            guard let volume = Protocol.Volume(known.kind, of: day),
                let name = VenueName(runBy: known.runBy, slug: known.slug, volume: volume),
                !names.contains(name)
            else { continue }
            names.append(name)
        }
        return names
    }

    /// 2000-01-01T00:00:00Z, the begin of the day that has number 0.
    private static let firstDay: Int64 = 946_684_800

    private func restart(_ name: VenueName) throws(UserError) {
        try process.stop()
        _ = try process.start(try VenueStart(wordless: name))
    }

    /// The venue with its words, as soon as they come; `nil` if nobody is there.
    private func wait(until end: Instant, isLast: Bool) throws(UserError) -> KnownVenue? {
        let alone = isLast ? end : min(end, SystemClock.now() + Self.lonely)
        while true {
            guard let status = try process.status() else {
                throw UserError(
                    .noAgent, "the agent of \(known.slug) has gone",
                    advice: "tail \(ShellWord.quoted(process.place.logPath))")
            }
            if let known = try taken(status) { return known }
            guard SystemClock.now() < (status.linked > 0 ? end : alone) else { return nil }
            _ = Polling.wait(for: [], until: SystemClock.now() + Self.pause)
        }
    }

    /// Keeps the words if they are there. The agent counts by days that are too long without them,
    /// so it ends; whoever asked starts it anew. Throws `bad-venue` for words that cannot be read.
    private func taken(_ status: VenueStatus) throws(UserError) -> KnownVenue? {
        guard status.revision > 0 else { return nil }
        guard let known = try process.newer(status) else {
            throw UserError(
                .badVenue, "what \(process.known.slug) says about itself cannot be read here",
                why: "another agent sent revision \(status.revision) of it",
                advice: "seatagent --version")
        }
        try process.stop()
        return known
    }
}
