// SPDX-License-Identifier: Apache-2.0
import Bookings
import ControlAPI
import DeskShell
import Protocol
import Text
import Venues

/// What a desk prints: slips and reports.
struct DeskPapers {
    let call: Invocation
    let agent: VenueAgent

    init(_ call: Invocation, _ agent: VenueAgent) {
        self.call = call
        self.agent = agent
    }

    func slip(_ word: String) throws(UserError) -> ExitCode {
        let (booking, token) = try DeskCounterWork(call, agent).booking(word)
        let page = try BookingPage(agent)
        guard let spot = page.spot(booking.place, booking.period, count: booking.count) else {
            throw UserError(.noSuchBooking, "that booking cannot be read")
        }
        let members = try MemberBook.read(agent.place)
        let names = [members.member(booking.member)?.name, booking.note]
        let name = names.compactMap(\.self).first { !$0.isEmpty }
        let car = DeskPermits.car(of: booking, members)
        let slip = DeskSlip(
            spot, token, for: name, car, due: booking.due?.due, paid: booking.paid,
            granted: booking.seen?.time ?? page.now, page.offered)
        return call.finish(["lines": .array(slip.lines.map(JSON.string))], slip.lines)
    }

    /// Tells all who are there: the last of these stands on the page of the venue.
    func say(_ text: String) throws(UserError) -> ExitCode {
        let said = try agent.ask(Op.Say(text: text))
        return call.finish(said, ["Said: \(visible(text, cells: 200))"])
    }

    /// A month of the volume, or all of it.
    func report(_ month: String?) throws(UserError) -> ExitCode {
        let volume = try agent.name().volume
        var (first, last) = (volume.first, volume.last)
        if let month {
            guard let asked = Volume(month), asked.kind == .month, asked.first <= last,
                asked.last >= first
            else {
                throw UserError(
                    .usage, "\"\(visible(month, cells: 20))\" is no month of this ledger",
                    why: "it is of \(volume.text)", advice: "seatagent desk report")
            }
            (first, last) = (max(first, asked.first), min(last, asked.last))
        }
        let status = try agent.ask(Op.Desk()).reply
        let classes = Dictionary(
            status.members.map { ($0.number, $0.memberClass) },
            uniquingKeysWith: { first, _ in first })
        let items = try DeskCounterWork.all(agent).compactMap { booking -> DeskReport.Item? in
            item(booking, classes[booking.member])
        }
        let report = DeskReport(items, from: first, through: last, of: agent.venue)
        let lines =
            call.line.has("csv")
            ? report.csv.split(separator: "\n").map(String.init) : report.lines
        return call.finish(["csv": .string(report.csv)], lines)
    }

    private func item(_ booking: BookingFacts, _ memberClass: Int?) -> DeskReport.Item? {
        guard let period = booking.period.period,
            let holder = bytes(hexadecimal: booking.holder.key).flatMap({ PeerKey($0) })
        else { return nil }
        var grant = Grant(
            holder: holder, member: booking.member, place: booking.place, period: period,
            count: booking.count, due: booking.due?.due)
        if booking.blocked { grant.flags.insert(.blocked) }
        if booking.override { grant.flags.insert(.override) }
        let end: LedgerClose.Reason? =
            switch booking.ended {
            case nil, .known(.replaced), .other: nil
            case .known(.asked): .asked
            case .known(.desk): .desk
            case .known(.noShow): .noShow
            case .known(.unpaid): .unpaid
            case .known(.error): .error
            case .known(.stranded): .stranded
            case .known(.early): .early
            }
        return DeskReport.Item(
            grant: grant, memberClass: booking.blocked ? nil : memberClass, end: end,
            isReplaced: booking.ended?.known == .replaced, paid: booking.paid)
    }
}
