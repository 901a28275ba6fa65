// SPDX-License-Identifier: Apache-2.0
import Bookings
import DeskShell
import Protocol
import System
import Text
import Venues

/// Permits to park: the desk knows the car, and no log does. The bay itself is a booking like any
/// other, which the driver's agent asks for once the desk has the car.
extension Agent {
    func permit(_ record: FormRecord, _ venue: Venue) {
        let answers: PermitAnswers
        do throws(FormFault) {
            answers = try PermitAnswers(record.form.fields.map { ($0.number, $0.text) })
        } catch {
            return settle(record, .refused, error.sentence)
        }
        let book = node.bookView.book
        let number = book.member(of: record.key.peer)
        let car = MemberBook.Car(answers, key: record.key.peer.hex, since: SystemClock.utc())
        do throws(UserError) {
            let members = try MemberBook.read(options.place)
            let decision = PermitDecision(
                answers, of: venue, number: number, key: car.key, members)
            switch decision {
            case .admit(let who, let memberClass):
                guard admitsStrangers else { return }
                try park(record, car, who: who, memberClass, venue)
            case .known(let number):
                let who = venue.rules.member == .suite ? answers.suite : car.key
                try MemberBook.change(options.place) { (members) throws(UserError) in
                    members.park(car, of: number, who: who)
                }
                let memberClass = book.memberClass(number) ?? venue.classes.count - 1
                settle(record, .admitted, venue.memberClass(memberClass).name)
            case .other(let suite):
                settle(
                    record, .refused,
                    "your key counts for suite \(suite) until this ledger ends; the people at the "
                        + "desk book for another suite")
            case .join: settle(record, .refused, "join the venue first")
            case .look: return
            }
        } catch {
            Log.line("a form waits: \(error.lines.joined(separator: " "))")
        }
    }

    /// A number first, on disk with the car; then the ledger; then the answer.
    private func park(
        _ record: FormRecord, _ car: MemberBook.Car, who: String, _ memberClass: Int,
        _ venue: Venue
    ) throws(UserError) {
        let book = node.bookView.book
        let member = try MemberBook.change(options.place) { (members) throws(UserError) in
            try members.admit(car, who: who, above: book.members.last?.number ?? 0)
        }
        // Whoever joined otherwise keeps the class that they have.
        let memberClass = book.memberClass(member.number) ?? memberClass
        let intent = DeskIntent.member(
            number: member.number, class: memberClass, key: record.key.peer)
        perform(.desk(intent)) { [weak self] result in
            guard let self, case .success = result else { return }
            settle(record, .admitted, venue.memberClass(memberClass).name)
        }
    }
}
