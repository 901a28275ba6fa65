// SPDX-License-Identifier: Apache-2.0
extension Op {
    /// Moves a member, with all their bookings, to a new key.
    package struct DeskMove: ControlOperation {
        package typealias Reply = DeskDone
        package static var operation: OperationName { .deskMove }
        package var number: Int
        /// The new key, or its tag.
        package var to: String

        /// Moves that member.
        package init(number: Int, to: String) {
            self.number = number
            self.to = to
        }
    }

    /// Copies the ledger, with its key and all that this agent knows, into a new file.
    package struct DeskBackup: ControlOperation {
        package typealias Reply = Done
        package static var operation: OperationName { .deskBackup }
        /// The path of the file, from the root on; nothing may be there.
        package var to: String

        /// Copies it.
        package init(to: String) { self.to = to }
    }

    /// Decides a form: it is forgotten here then.
    package struct DeskDecide: ControlOperation {
        package typealias Reply = Done
        package static var operation: OperationName { .deskDecide }
        /// Who sent it: a key of 64 hexadecimal digits.
        package var key: String
        /// Its number, 32 hexadecimal digits.
        package var form: String
        package var admit: Bool
        /// What to tell them, at most 200 bytes.
        package var text: String?

        /// Decides that one.
        package init(key: String, form: String, admit: Bool, text: String? = nil) {
            self.key = key
            self.form = form
            self.admit = admit
            self.text = text
        }
    }

    /// What the ledger comes to between two days, for reports and lists: every booking, ended ones
    /// too.
    package struct DeskBookings: ControlOperation {
        package static var operation: OperationName { .deskBookings }
        package var first: String
        /// At most 31 days.
        package var last: String?

        /// Those days.
        package init(first: String, last: String? = nil) {
            self.first = first
            self.last = last
        }

        /// In the order of the ledger.
        package struct Reply: Codable, Hashable, Sendable {
            package var bookings: [BookingFacts]

            package init(bookings: [BookingFacts]) { self.bookings = bookings }
        }
    }
}
