// SPDX-License-Identifier: Apache-2.0
/// Looks once, for a few seconds, for the venues that announce themselves on this network. Says
/// nothing of its own but the question. Poll `descriptors` for reading, call `readable` and `tick`
/// until `isDone`, then read `result`.
package final class VenueSearch {
    private var machine: VenueSearchMachine
    private var mailbox: Mailbox?

    /// A look around on the interface of that name; `nil` for all. Nothing happens before `start`.
    package init(interface: String?) {
        machine = VenueSearchMachine(interface: interface)
        DNSServiceLibrary.beQuiet()
    }

    deinit { mailbox?.end() }

    /// Asks. `now` is monotonic nanoseconds, here and below.
    package func start(now: Int64) { handle(.start, at: now) }

    /// Descriptors to poll for reading. They may change with every call.
    package var descriptors: [Int32] { mailbox.map { [$0.loopEnd] } ?? [] }

    /// When `tick` has something to do; `nil` if only descriptors matter.
    package var nextDeadline: Int64? { machine.nextDeadline }

    /// Whether nothing more will be found.
    package var isDone: Bool { machine.isDone }

    /// What was found until now.
    package var result: VenueSearchResult { machine.result }

    /// One of `descriptors` is readable.
    package func readable(_ descriptor: Int32, now: Int64) {
        guard let mailbox, mailbox.loopEnd == descriptor else { return }
        for reported in mailbox.takeReports() {
            handle(.report(reported.id, reported.report), at: now)
        }
    }

    /// Time has passed.
    package func tick(now: Int64) { handle(.tick, at: now) }

    private func handle(_ event: VenueSearchMachine.Event, at now: Int64) {
        let effects = machine.handle(event, at: now)
        if !effects.stops.isEmpty || !effects.starts.isEmpty {
            if mailbox == nil { mailbox = Mailbox.withWorker() }
            mailbox?.order(stops: effects.stops, starts: effects.starts)
        }
        if mailbox == nil, let start = effects.starts.first {
            handle(.report(start.id, .failed(.noRoom)), at: now)
        }
        guard machine.isDone else { return }
        mailbox?.end()
        mailbox = nil
    }
}
