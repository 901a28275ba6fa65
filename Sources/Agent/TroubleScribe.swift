// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Protocol
import Text
import Trips

/// Troubles as events.
extension EventScribe {
    /// What is wrong with more than one message.
    func trouble(_ trouble: Trouble) -> ControlEvent { event(.trouble(news(trouble))) }

    private func news(_ trouble: Trouble) -> TroubleNews {
        func say(_ code: TroubleCode, _ what: String, _ key: PeerKey? = nil) -> TroubleNews {
            TroubleNews(code: Word(code), what: what, who: key.map(book.person))
        }
        return switch trouble {
        case .keyRunsTwice:
            say(.keyRunsTwice, "your key runs in another process: nothing is written any more")
        case .runsTwice(let key):
            say(.peerRunsTwice, "the key of \(book.described(key)) runs in two processes", key)
        case .ownFork(let proof):
            misdeed(
                .ownFork, Misdeed(proof), nil,
                "your log has two ends: nothing is written any more")
        case .fork(let proof): misdeed(.fork, Misdeed(proof), proof.author)
        case .misdeed(let misdeed): self.misdeed(.misdeed, misdeed, misdeed.author)
        case .violation(let violation):
            say(
                .violation,
                "the map here breaks rule \(violation.rule.rawValue): an error of this program")
        case .divergence(let key):
            say(
                .divergence, "the agent of \(book.described(key)) makes another map of equal logs",
                key)
        case .otherVersion(let key):
            say(.otherVersion, "\(book.described(key)) runs an agent with other rules", key)
        case .otherFlight(let address):
            say(
                .otherFlight,
                "an agent at \(address.text) is on another flight, or has another cabin code")
        case .aliasOnly(let key, let name): aliasOnly(key, name)
        case .operatorTwice:
            say(
                .operatorTwice,
                "the operator of this venue signed two texts under one revision")
        case .ledger(let trouble): ledger(trouble)
        case .wordsWait:
            say(
                .wordsWait,
                "newer words of this venue's operator make another day of today, or cannot be "
                    + "read: they count from your next command on")
        }
    }

    /// What is wrong with the ledgers of a venue, of which people read "desk" and "page".
    private func ledger(_ trouble: LedgerTrouble) -> TroubleNews {
        func say(_ code: TroubleCode, _ what: String, _ key: PeerKey? = nil) -> TroubleNews {
            TroubleNews(code: Word(code), what: what, who: key.map(book.person))
        }
        return switch trouble {
        case .twoDesks(_, let rival, _):
            say(
                .twoDesks, "two desks run: what \(book.described(rival)) grants does not count",
                rival)
        case .forked(let key, let page):
            say(
                .ledgerForked,
                "the desk signed two ledgers from page \(page) on: bookings behind it do not "
                    + "count", key)
        case .lost(let key, let page):
            say(
                .ledgerFault,
                "the ledger of the earlier desk counts up to page \(page - 1): bookings behind it "
                    + "were lost with it", key)
        case .void: say(.ledgerFault, "the desk granted what it must not: that booking is void")
        case .falseLot: say(.ledgerFault, "the desk drew a lot by other bytes than it announced")
        case .begunWithout:
            say(
                .noLedger,
                "this desk's log began before it had a charter: it needs a new key")
        }
    }

    /// Only the passenger's key is known, because the records are separate.
    private func aliasOnly(_ key: PeerKey, _ name: FlightName?) -> TroubleNews {
        let words =
            name.map {
                "others call this flight \(Trip.number(of: $0)): \(book.described(key)) is there. "
                    + "To trade with them: seatagent down, then seatagent up \($0.text)"
            } ?? "\(book.described(key)) is on this flight by another number, and not among you"
        return TroubleNews(
            code: Word(.aliasOnly), what: words, who: book.person(key), flight: name?.text)
    }

    /// A passenger convicted by two entries of theirs: both are in the event, as objects and in
    /// words.
    private func misdeed(
        _ code: TroubleCode, _ misdeed: Misdeed, _ key: PeerKey?, _ what: String? = nil
    ) -> TroubleNews {
        let conviction = MisdeedFacts(node.fold).conviction(misdeed)
        let says = conviction.entries.map { "record \($0.seq) \($0.says)" }
        let head = what ?? "\(key.map(book.described) ?? "") \(conviction.what): do not trade"
        return TroubleNews(
            code: Word(code), what: head + " (" + says.joined(separator: "; ") + ")",
            who: key.map(book.person), misdeed: conviction)
    }
}
