// SPDX-License-Identifier: Apache-2.0
import Bookings
import ControlAPI
import DeskShell
import Parking
import Protocol
import System
import Text
import Venues

/// Cars at a desk: whom each of them visits, and the permits that its people decide.
struct DeskPermits {
    let call: Invocation
    let agent: VenueAgent

    init(_ call: Invocation, _ agent: VenueAgent) {
        self.call = call
        self.agent = agent
    }

    /// Plates in the line of a member.
    private static let most = 3

    // MARK: Forms

    /// What a form says of a car; `nil` for one that is no permit, or that nobody can read.
    static func answers(_ form: DeskForm) -> PermitAnswers? {
        guard form.kind.known == .permit else { return nil }
        return try? PermitAnswers(form.fields.map { ($0.number, $0.text) })
    }

    /// The line of a permit that waits; `nil` for other forms.
    static func line(_ form: DeskForm) -> String? {
        guard form.kind.known == .permit else { return nil }
        let what = answers(form).map { "\($0.plate), suite \($0.suite)" }
        return "\(DeskPeople.code(form))  \(form.who.tag)  wants to park: "
            + (what ?? "nobody can read it")
    }

    /// Says yes to a permit whose driver the people at the desk have seen. The bay is another
    /// request.
    func admit(
        _ form: DeskForm, _ answers: PermitAnswers, _ status: DeskStatus
    ) throws(UserError) -> ExitCode {
        let people = DeskPeople(call, agent)
        let car = MemberBook.Car(answers, key: form.who.key, since: SystemClock.utc())
        let own = status.members.first { $0.keys.contains(form.who.key) }
        let who = agent.venue.rules.member == .suite ? answers.suite : car.key
        let number = try MemberBook.change(agent.place) { (book) throws(UserError) in
            if let own {
                book.park(car, of: own.number, who: who)
                return own.number
            }
            return try book.admit(car, who: who, above: status.members.last?.number ?? 0).number
        }
        // Whoever joined otherwise keeps the class that they have.
        var memberClass = status.members.first { $0.number == number }?.memberClass
        if memberClass == nil { memberClass = try people.memberClass(mail: nil, number: nil) }
        let given = memberClass ?? agent.venue.classes.count - 1
        let done = try agent.ask(
            Op.DeskMember(number: number, memberClass: given, who: form.who.key))
        _ = try agent.ask(
            Op.DeskDecide(
                key: form.who.key, form: form.id, admit: true,
                text: agent.venue.memberClass(given).name))
        return call.finish(
            done, ["Admitted: \(answers.plate), suite \(answers.suite), member \(number)"])
    }

    // MARK: Cars

    /// The suite and the newest plates of a member; empty for somebody without a car.
    static func cars(_ member: MemberBook.Member) -> String {
        guard let last = member.cars.last else { return "" }
        var plates: [String] = []
        for car in member.cars.reversed() where !plates.contains(car.plate) {
            plates.append(car.plate)
        }
        let more = plates.count > most ? " and \(plates.count - most) more" : ""
        return "suite \(last.suite): " + plates.prefix(most).joined(separator: ", ") + more
    }

    /// The car of a booking; `nil` for one that is of none.
    static func car(of booking: BookingFacts, _ members: MemberBook) -> MemberBook.Car? {
        guard let granted = booking.seen?.time else { return nil }
        return members.car(of: booking.member, key: booking.holder.key, at: granted)
    }

    /// `desk members find AB12CDE`: whom a car visits, and its bays that are not over.
    func find(_ words: [String]) throws(UserError) -> ExitCode {
        let line = "seatagent desk members find AB12CDE"
        guard words.count == 2 else {
            throw UserError(.usage, "desk members find wants a plate", advice: line)
        }
        let plate: String
        do throws(FormFault) {
            plate = try ParkingField.plate.code(words[1])
        } catch {
            throw UserError(.usage, "that is no plate", why: error.sentence, advice: line)
        }
        let members = try MemberBook.read(agent.place)
        let found = members.parked(plate)
        guard !found.isEmpty else {
            throw UserError(
                .noSuchRecord, "no car here has the plate \(plate)",
                why: "no permit was asked for it, or that is long ago",
                advice: "seatagent desk members")
        }
        let page = try BookingPage(agent)
        let bays = try DeskCounterWork.all(agent).filter { booking in
            guard booking.ended == nil, let period = booking.period.period else { return false }
            return page.offered.clock.span(period).end > page.now
                && Self.car(of: booking, members)?.plate == plate
        }
        var lines: [String] = []
        var rows: [JSON] = []
        for (member, car) in found {
            lines.append("\(plate): suite \(car.suite), member \(member.number)")
            let own = bays.filter { $0.member == member.number }
            for bay in own {
                guard let token = bay.tokenValue,
                    let spot = page.spot(bay.place, bay.period, count: bay.count)
                else { continue }
                lines.append("  \(page.reader.words(spot)), code \(BookingCode(token).text)")
            }
            if own.isEmpty { lines.append("  no bay now") }
            rows.append([
                "member": .int(member.number), "suite": .string(car.suite),
                "plate": .string(plate), "bookings": .array(own.map { .string($0.token) }),
            ])
        }
        return call.finish(["found": .array(rows)], lines)
    }
}
