// SPDX-License-Identifier: Apache-2.0
package import CivilTime
package import Text

/// What an agent knows of the bookings of some days.
package struct BookFacts: Codable, Hashable, Sendable {
    /// The desk; absent as long as no ledger is known.
    package var desk: DeskSightFacts?
    /// The user's number and the number of their class; absent for who has not joined.
    package var member: Int?
    package var memberClass: Int?
    /// Bookings that stand at some minute of these days, by their begin.
    package var bookings: [BookingFacts]
    /// What the user asked of the desk, oldest first.
    package var asks: [AskedFacts]
    /// What they have used of their quotas on the first of these days.
    package var quotas: [QuotaFacts]

    package init(
        desk: DeskSightFacts?, member: Int?, memberClass: Int?, bookings: [BookingFacts],
        asks: [AskedFacts], quotas: [QuotaFacts]
    ) {
        self.desk = desk
        self.member = member
        self.memberClass = memberClass
        self.bookings = bookings
        self.asks = asks
        self.quotas = quotas
    }

    private enum CodingKeys: String, CodingKey {
        case desk, member, bookings, asks, quotas
        case memberClass = "class"
    }
}

/// How one ask stands.
package struct AskOutcome: Codable, Hashable, Sendable {
    /// The id of the ask, 64 hexadecimal digits.
    package var ask: String
    package var state: Word<AskStanding>
    /// The booking that was made or has ended, 64 hexadecimal digits.
    package var token: String?
    /// The number in the queue.
    package var waiting: Int?
    /// Why the desk says no, a number of docs/protocol.md section 33.
    package var reason: Int?

    /// So it stands.
    package init(
        ask: String, state: AskStanding, token: String? = nil, waiting: Int? = nil,
        reason: Int? = nil
    ) {
        self.ask = ask
        self.state = Word(state)
        self.token = token
        self.waiting = waiting
        self.reason = reason
    }
}

/// Something became of an ask of the user's, or the ledgers came to something else.
package struct BookingNews: Codable, Hashable, Sendable {
    /// What became of an ask; absent where something else changed.
    package var asked: AskOutcome?
    /// A negotiation about bookings that moved; absent where something else changed.
    package var swap: BookingSwap?

    /// News of an ask, of a swap, or of the book.
    package init(asked: AskOutcome? = nil, swap: BookingSwap? = nil) {
        self.asked = asked
        self.swap = swap
    }
}

extension Op {
    /// What is booked on some days, and what the user asked for.
    package struct Days: ControlOperation {
        package typealias Reply = BookFacts
        package static var operation: OperationName { .days }
        /// The first day: `2026-12-05`.
        package var first: String
        /// The last one; absent for one day. At most 31.
        package var last: String?

        /// Those days.
        package init(first: String, last: String? = nil) {
            self.first = first
            self.last = last
        }
    }

    /// Asks the desk for a place. The ask is on disk before it is sent; how it stands says
    /// ``Asked``.
    package struct Book: ControlOperation {
        package typealias Reply = AskOutcome
        package static var operation: OperationName { .book }
        package var place: Int
        package var period: PeriodFacts
        package var count: Int?
        /// Whether to wait in the queue where it is full.
        package var waits: Bool?
        /// 32 hexadecimal digits by which those who know the user's address find the booking.
        package var tag: String?
        /// Words for the desk, at most 200 bytes.
        package var note: String?
        /// Until when the ask stands; absent for the begin of the period.
        package var until: Stamp?

        /// Asks for that.
        package init(
            place: Int, period: PeriodFacts, count: Int? = nil, waits: Bool? = nil,
            tag: String? = nil, note: String? = nil, until: Stamp? = nil
        ) {
            self.place = place
            self.period = period
            self.count = count
            self.waits = waits
            self.tag = tag
            self.note = note
            self.until = until
        }
    }

    /// Asks the desk to end a booking of the user's, or to give it to somebody.
    package struct GiveBack: ControlOperation {
        package typealias Reply = AskOutcome
        package static var operation: OperationName { .giveBack }
        /// The booking, 64 hexadecimal digits.
        package var token: String
        /// Who gets it; absent for nobody.
        package var to: String?

        /// Gives that one back.
        package init(token: String, to: String? = nil) {
            self.token = token
            self.to = to
        }
    }

    /// Asks the desk for another place or period in the stead of a booking: all or nothing.
    package struct MoveBooking: ControlOperation {
        package typealias Reply = AskOutcome
        package static var operation: OperationName { .moveBooking }
        package var token: String
        package var place: Int
        package var period: PeriodFacts

        /// Moves that one there.
        package init(token: String, place: Int, period: PeriodFacts) {
            self.token = token
            self.place = place
            self.period = period
        }
    }

    /// Takes an ask back.
    package struct WithdrawAsk: ControlOperation {
        package typealias Reply = Done
        package static var operation: OperationName { .withdrawAsk }
        /// The id of the ask, 64 hexadecimal digits.
        package var ask: String

        /// Takes that one back.
        package init(ask: String) { self.ask = ask }
    }

    /// How an ask of the user's stands.
    package struct Asked: ControlOperation {
        package typealias Reply = AskOutcome
        package static var operation: OperationName { .asked }
        package var ask: String

        /// How that one stands.
        package init(ask: String) { self.ask = ask }
    }

    /// The user's own bookings, ended ones too; with a tag those of whoever has that address.
    package struct Bookings: ControlOperation {
        package static var operation: OperationName { .bookings }
        /// 32 hexadecimal digits.
        package var tag: String?

        /// The own ones, or those with that tag.
        package init(tag: String? = nil) { self.tag = tag }

        /// Bookings in the order of the ledger, and what was asked.
        package struct Reply: Codable, Hashable, Sendable {
            package var desk: DeskSightFacts?
            package var bookings: [BookingFacts]
            package var asks: [AskedFacts]

            package init(
                desk: DeskSightFacts?, bookings: [BookingFacts], asks: [AskedFacts]
            ) {
                self.desk = desk
                self.bookings = bookings
                self.asks = asks
            }
        }
    }

    /// Sends the desk, and nobody else, what the user says of themselves. It waits on the disk
    /// until the desk has it.
    package struct SendForm: ControlOperation {
        package typealias Reply = FormFacts
        package static var operation: OperationName { .sendForm }
        package var kind: Word<FormFacts.Kind>
        /// Answers by the number of their question, 0...255.
        package var fields: [Field]

        /// One answer.
        package struct Field: Codable, Hashable, Sendable {
            package var number: Int
            /// At most 254 bytes.
            package var text: String

            /// That answer.
            package init(number: Int, text: String) {
                self.number = number
                self.text = text
            }
        }

        /// A form.
        package init(kind: FormFacts.Kind, fields: [Field]) {
            self.kind = Word(kind)
            self.fields = fields
        }
    }

    /// The forms that the user sent, oldest first.
    package struct Forms: ControlOperation {
        package static var operation: OperationName { .forms }
        package init() {}

        /// What became of them.
        package struct Reply: Codable, Hashable, Sendable {
            package var forms: [FormFacts]
            /// The user's number and class, once the desk admitted them.
            package var member: Int?
            package var memberClass: Int?

            package init(forms: [FormFacts], member: Int?, memberClass: Int?) {
                self.forms = forms
                self.member = member
                self.memberClass = memberClass
            }

            private enum CodingKeys: String, CodingKey {
                case forms, member
                case memberClass = "class"
            }
        }
    }
}
