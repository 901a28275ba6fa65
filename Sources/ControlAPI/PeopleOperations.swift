// SPDX-License-Identifier: Apache-2.0
package import Text

// MARK: Talking

extension Op {
    /// A line to everyone.
    package struct Say: ControlOperation {
        /// What was written.
        package struct Reply: Codable, Hashable, Sendable {
            /// The record.
            package var id: String?
            /// How many agents are linked.
            package var linked: Int

            /// What was written.
            package init(id: String? = nil, linked: Int) {
                self.id = id
                self.linked = linked
            }
        }

        package static var operation: OperationName { .say }
        /// The words.
        package var text: String

        /// Says `text` to everyone.
        package init(text: String) {
            self.text = text
        }
    }

    /// A message to one passenger.
    package struct Message: ControlOperation {
        package typealias Reply = PrivateMessage
        package static var operation: OperationName { .message }
        /// A seat, a name, a tag or a key.
        package var who: String
        /// The words.
        package var text: String

        /// Sends `text` to the passenger whom `who` names.
        package init(who: String, text: String) {
            self.who = who
            self.text = text
        }
    }
}

// MARK: People

extension Op {
    /// An answer that names one passenger.
    package struct Named: Codable, Hashable, Sendable {
        /// Whom.
        package var who: Person

        /// An answer about `who`.
        package init(who: Person) {
            self.who = who
        }
    }

    /// An answer about the user.
    package struct Own: Codable, Hashable, Sendable {
        /// The user, as they are now.
        package var me: Person
        /// Passengers who claim the seat too; of `claim` alone.
        package var others: [Person]?

        /// An answer about the user, and who else claims the seat.
        package init(me: Person, others: [Person]? = nil) {
            self.me = me
            self.others = others
        }
    }

    /// Begins to compare codes, or agrees to it.
    package struct Verify: ControlOperation {
        package typealias Reply = Comparing
        package static var operation: OperationName { .verify }
        /// A seat, a name, a tag or a key.
        package var who: String

        /// Asks to compare codes with the passenger whom `who` names.
        package init(who: String) {
            self.who = who
        }
    }

    /// What the user says of the numbers.
    package struct Compared: ControlOperation {
        package typealias Reply = Comparing
        package static var operation: OperationName { .compared }
        /// Whether they are the same.
        package var same: Bool
        /// The numbers that were shown.
        package var code: String?

        /// Says whether the numbers are the same; `code` are those that were shown.
        package init(same: Bool, code: String? = nil) {
            self.same = same
            self.code = code
        }
    }

    /// Stops comparing.
    package struct CancelVerify: ControlOperation {
        package typealias Reply = Comparing
        package static var operation: OperationName { .cancelVerify }
        package init() {}
    }

    /// Tells everybody that the user verified a passenger.
    package struct Vouch: ControlOperation {
        package typealias Reply = Named
        package static var operation: OperationName { .vouch }
        /// A seat, a name, a tag or a key.
        package var who: String

        /// Vouches for the passenger whom `who` names.
        package init(who: String) {
            self.who = who
        }
    }

    /// Says on whose computer an agent runs: it is shown where both say so.
    package struct Hosting: ControlOperation {
        package typealias Reply = Named
        package static var operation: OperationName { .hosting }
        /// Public key of the other one, 64 hexadecimal digits: nobody may know them yet.
        package var who: String
        /// What this agent is of them.
        package var role: Word<HostingRole>
        /// Takes it back.
        @IfTrue package var off: Bool

        /// Says that this agent is host or guest of the key `who`, or is not any more.
        package init(who: String, role: HostingRole, off: Bool = false) {
            self.who = who
            self.role = Word(role)
            self.off = off
        }
    }

    /// Hides and refuses a passenger.
    package struct Block: ControlOperation {
        package typealias Reply = Named
        package static var operation: OperationName { .block }
        /// A seat, a name, a tag or a key.
        package var who: String

        /// Blocks the passenger whom `who` names.
        package init(who: String) {
            self.who = who
        }
    }

    /// Takes that back.
    package struct Unblock: ControlOperation {
        package typealias Reply = Named
        package static var operation: OperationName { .unblock }
        /// A seat, a name, a tag or a key.
        package var who: String

        /// No longer blocks the passenger whom `who` names.
        package init(who: String) {
            self.who = who
        }
    }

    /// Lets strangers ask in vain for a while, or ends that.
    package struct Silence: ControlOperation {
        /// How long it lasts.
        package struct Reply: Codable, Hashable, Sendable {
            /// Seconds; `nil` for none.
            @OrNull package var silenced: Int?

            /// How long it lasts.
            package init(silenced: Int?) {
                self.silenced = silenced
            }
        }

        package static var operation: OperationName { .silence }
        /// Whether it begins.
        package var on: Bool

        /// Begins the silence, or ends it.
        package init(on: Bool) {
            self.on = on
        }
    }

    /// Takes another name.
    package struct Rename: ControlOperation {
        package typealias Reply = Own
        package static var operation: OperationName { .rename }
        /// The name.
        package var name: String

        /// Takes `name`.
        package init(name: String) {
            self.name = name
        }
    }

    /// Claims a seat.
    package struct Claim: ControlOperation {
        package typealias Reply = Own
        package static var operation: OperationName { .claim }
        /// Which seat.
        package var seat: String
        /// Whether it is for somebody in the user's care.
        package var dependant: Bool

        /// Claims `seat`, for a dependant or for the user.
        package init(seat: String, dependant: Bool) {
            self.seat = seat
            self.dependant = dependant
        }
    }

    /// Gives a seat up.
    package struct Release: ControlOperation {
        package typealias Reply = Own
        package static var operation: OperationName { .release }
        /// Which seat.
        package var seat: String

        /// Gives `seat` up.
        package init(seat: String) {
            self.seat = seat
        }
    }
}
