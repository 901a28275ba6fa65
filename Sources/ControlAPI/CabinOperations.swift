// SPDX-License-Identifier: Apache-2.0
package import Aviation
package import Text

// MARK: The own seats and the cabin

extension Op {
    /// What the user said of the people in their seats.
    package struct Needs: ControlOperation {
        package typealias Reply = SeatNeeds
        package static var operation: OperationName { .needs }
        package init() {}
    }

    /// Says it of whoever sits in a seat.
    package struct SetNeeds: ControlOperation {
        package typealias Reply = SeatNeeds
        package static var operation: OperationName { .setNeeds }
        /// The seat.
        package var seat: String
        /// What holds; nothing removes all.
        package var facts: [Word<Aviation.Needs.Fact>]
        /// The seat of whoever has to sit beside them.
        package var with: String?

        /// Says `facts` of whoever sits in `seat`, and who has to sit beside them.
        package init(seat: String, facts: [Word<Aviation.Needs.Fact>], with: String? = nil) {
            self.seat = seat
            self.facts = facts
            self.with = with
        }
    }

    /// The layout in use.
    package struct Cabin: ControlOperation {
        package typealias Reply = CabinInUse
        package static var operation: OperationName { .cabin }
        package init() {}
    }

    /// Draws by another layout.
    package struct UseCabin: ControlOperation {
        package typealias Reply = CabinInUse
        package static var operation: OperationName { .useCabin }
        /// Its name.
        package var layout: String

        /// Asks for the layout of that name.
        package init(layout: String) {
            self.layout = layout
        }
    }

    /// A yes or a no to the layout that others agree on.
    package struct AnswerCabin: ControlOperation {
        package typealias Reply = CabinInUse
        package static var operation: OperationName { .answerCabin }
        /// Which layout.
        package var hash: String
        /// Whether it is drawn.
        package var take: Bool

        /// Answers the question about the layout with that hash.
        package init(hash: String, take: Bool) {
            self.hash = hash
            self.take = take
        }
    }

    /// Suggests a layout to everybody, or takes that back.
    package struct SuggestCabin: ControlOperation {
        package typealias Reply = LayoutSuggestions
        package static var operation: OperationName { .suggestCabin }
        /// Its name; left out to take the suggestion back.
        package var layout: String?

        /// Suggests the layout of that name; without one, takes the suggestion back.
        package init(layout: String? = nil) {
            self.layout = layout
        }
    }

    /// Layouts that passengers suggest.
    package struct Suggestions: ControlOperation {
        package typealias Reply = LayoutSuggestions
        package static var operation: OperationName { .suggestions }
        package init() {}
    }
}

// MARK: The agent itself

extension Op {
    /// Connects to an agent that mDNS does not find.
    package struct AddPeer: ControlOperation {
        /// Where it is.
        package struct Reply: Codable, Hashable, Sendable {
            /// The address.
            package var address: String

            /// Where it is.
            package init(address: String) {
                self.address = address
            }
        }

        package static var operation: OperationName { .addPeer }
        /// Host and port.
        package var address: String

        /// Asks for a connection to `address`.
        package init(address: String) {
            self.address = address
        }
    }

    /// The agent runs until it is told to end.
    package struct Stay: ControlOperation {
        package typealias Reply = Done
        package static var operation: OperationName { .stay }
        package init() {}
    }

    /// Leaves the flight and deletes its records.
    package struct Forget: ControlOperation {
        /// Which flight.
        package struct Reply: Codable, Hashable, Sendable {
            /// Its name.
            package var flight: String

            /// Which flight.
            package init(flight: String) {
                self.flight = flight
            }
        }

        package static var operation: OperationName { .forget }
        /// Also while a swap has no outcome.
        package var force: Bool

        /// Asks to leave; `force` also while a swap has no outcome.
        package init(force: Bool) {
            self.force = force
        }
    }

    /// Seals the key for an agent on another computer. Behind the answer this one ends, and signs
    /// nothing any more.
    package struct TakeKey: ControlOperation {
        /// The key.
        package struct Reply: Codable, Hashable, Sendable {
            /// A text that one QR code holds, for `seatagent key import`.
            package var text: String

            /// A text.
            package init(text: String) {
                self.text = text
            }
        }

        package static var operation: OperationName { .takeKey }
        /// What opens it: 10 characters or more.
        package var passphrase: String

        /// Seals the key with `passphrase`.
        package init(passphrase: String) {
            self.passphrase = passphrase
        }
    }

    /// Ends the agent.
    package struct Down: ControlOperation {
        package typealias Reply = Done
        package static var operation: OperationName { .down }
        package init() {}
    }
}
