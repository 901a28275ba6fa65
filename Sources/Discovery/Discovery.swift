// SPDX-License-Identifier: Apache-2.0
/// Publishes this agent on the local network and finds others, by DNS-SD through avahi-daemon.
///
/// For one event loop: poll `descriptors` for reading, call `readable` and `tick`, then `drain`.
/// No call waits for anything, but for `letAsk`. Not for use from two threads.
package final class Discovery {
    private var machine: DiscoveryMachine
    private var mailbox: Mailbox?
    private var notices = NoticeQueue()

    /// Nothing happens before `start`. The caller makes `label` from fresh random bits.
    package init(options: DiscoveryOptions, label: ServiceLabel) {
        machine = DiscoveryMachine(options: options, label: label)
        DNSServiceLibrary.beQuiet()
    }

    deinit {
        closeMailbox()
    }

    /// Asks to be published, and browses if the options say so. `now` is monotonic nanoseconds
    /// here and everywhere.
    package func start(now: Int64) {
        handle(.start, at: now)
    }

    /// After `start`: waits until the daemon has been asked, answers, or `DiscoveryLimits.head`
    /// has passed. Others are found that much earlier; on a core that both threads share,
    /// everything else would run first.
    package func letAsk() {
        mailbox?.wait(DiscoveryLimits.head)
    }

    /// Descriptors to poll for reading. They may change with every call.
    package var descriptors: [Int32] {
        mailbox.map { [$0.loopEnd] } ?? []
    }

    /// One of `descriptors` is readable; others are none of ours and change nothing.
    package func readable(_ descriptor: Int32, now: Int64) {
        guard let mailbox, mailbox.loopEnd == descriptor else { return }
        for reported in mailbox.takeReports() {
            handle(.report(reported.id, reported.report), at: now)
        }
    }

    /// When `tick` has something to do; nil if only descriptors matter.
    package var nextDeadline: Int64? { machine.nextDeadline }

    /// Time has passed. Cheap when nothing is due.
    package func tick(now: Int64) {
        handle(.tick, at: now)
    }

    /// What happened since the last call, in order. Of each peer only the latest.
    package func drain() -> [DiscoveryNotice] {
        notices.takeAll()
    }

    /// Publishes again under `newLabel` and browses again. Peers known stay known; those not seen
    /// again in `DiscoveryLimits.confirmation` are lost.
    package func networkChanged(newLabel: ServiceLabel, now: Int64) {
        handle(.networkChanged(newLabel), at: now)
    }

    /// Starts or stops browsing (docs/protocol.md section 23). When browsing starts again, peers
    /// still there are reported by `found` again; nobody is `lost` while it is off.
    package func setBrowsing(_ wanted: Bool, now: Int64) {
        handle(.browsing(wanted), at: now)
    }

    /// Withdraws everything for good, without waiting: the daemon says goodbye to the network as
    /// soon as it sees the connections close, even if the process ends at once.
    package func stop() {
        handle(.stop, at: 0)
        closeMailbox()
    }

    private func handle(_ event: DiscoveryEvent, at now: Int64) {
        let effects = machine.handle(event, at: now)
        for notice in effects.notices { notices.append(notice) }
        guard !effects.stops.isEmpty || !effects.starts.isEmpty else { return }
        if let mailbox = openMailbox() {
            mailbox.order(stops: effects.stops, starts: effects.starts)
        } else {
            // At most one start follows: the machine gives everything back and waits.
            for start in effects.starts { handle(.report(start.id, .failed(.noRoom)), at: now) }
        }
    }

    private func openMailbox() -> Mailbox? {
        if mailbox == nil { mailbox = Mailbox.withWorker() }
        return mailbox
    }

    private func closeMailbox() {
        mailbox?.end()
        mailbox = nil
    }
}
