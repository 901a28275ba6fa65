// SPDX-License-Identifier: Apache-2.0
/// Limits of what people ask of the desk of a venue, of its answers and of forms (docs/protocol.md
/// section 32). How many people's are kept, and at what pace, is as of stays.
extension Limits {
    /// Asks of one author that are open at once: a term of weekly bookings takes two turns.
    package static let openAsks = 8
    /// Answers to asks of one author that are kept.
    package static let askAnswers = 8
    /// Asks of one author of which an agent remembers that an answer ended them, beside those.
    package static let asksEnded = 64
    /// The agent takes one more ask of an author in this time, after ``askBurst`` at once.
    package static let askPace = TimeSpan.seconds(5)
    /// See ``askPace``: all open ones, and all taken back.
    package static let askBurst = 16
    /// Numbers of reasons that a desk gives.
    package static let askReasons = 0...31
    /// An ask that comes so long after its bucket was listed to its sender is taken for an answer
    /// to the list. Less than for a stay: somebody waits for what comes of it.
    package static let askAnswered = TimeSpan.seconds(5)
    /// How long digests wait for more, when others are to hear that there was an answer.
    package static let askGathered = TimeSpan.seconds(1)
    /// A desk that was heard of within this time, by way of whomever, is not away.
    package static let deskHeard = deadAfter

    /// An entry of a ledger that comes so long after the last session opened is news, and not what
    /// others had before.
    package static let ledgerNews = TimeSpan.seconds(15)

    /// Kinds that a form may have, known here or not.
    package static let formKinds = 1...15
    /// Answers in one form.
    package static let formFields = 16
    /// Numbers of questions.
    package static let formField = 255
    /// Bytes of UTF-8 in one answer: an e-mail address has 254 at most.
    package static let formText = 254
    /// Bytes of UTF-8 that a desk says to a form.
    package static let formAnswer = 200
    /// Forms of one key that nobody has decided.
    package static let formsPerKey = 4
    /// Forms of all keys that nobody has decided: 4 MiB of the largest. Who sends one more is not
    /// told that it arrived, and tries again.
    package static let forms = 1024
    /// Forms that a desk remembers in all, also those that it has decided.
    package static let formsKept = 16_384
    /// Links for a purpose that a desk accepts: with ``formLink`` 200 people who all join at once
    /// have a turn each within seconds.
    package static let deskGuests = 40
    /// How long a link made for a purpose stays with a desk after its form was acknowledged.
    package static let formLink = TimeSpan.seconds(2)

    /// Bytes of what strangers say that may be queued on one connection.
    package static let hearsayCredit = 16 * 1024
    /// Statements of strangers that answer one list: more find no room in that.
    package static let hearsayAtOnce = 128
    /// Bytes of what other members say that may be queued beside that.
    package static let membersCredit = 32 * 1024
    /// Statements of others that go to one peer in a second, after ``passedOnBurst`` at once: with
    /// lists and digests fewer than the peer reads (``entriesPerSecond``), so that what concerns
    /// the peer does not wait until they have read the rest.
    package static let passedOnPerSecond = 160
    /// See ``passedOnPerSecond``.
    package static let passedOnBurst = 1800
    /// So many of these are for what members say.
    package static let passedOnOfMembers = 200
    /// Of the answers to lists that one peer may have (``stayAnswers``) so many are for what
    /// members say.
    package static let answersToMembers = 1024
    /// What a desk answered in this time is news, also where it comes after a list.
    package static let answerNews = TimeSpan.seconds(30)
    /// Bytes that the kernel has taken on one connection and not sent.
    package static let unsent = 16 * 1024
}
