// SPDX-License-Identifier: Apache-2.0
import Bookings
import ControlAPI
import Owner
import Protocol
import System
import Text
import Venues

/// Asks the desks for what the user has said yes to, and tells what comes of it.
struct BookAsking {
    private let call: Invocation
    private let shares: [BookShare]
    /// Whether it is one booking for several weeks: those that failed are listed.
    private let isWeekly: Bool

    init(_ call: Invocation, _ shares: [BookShare], isWeekly: Bool) {
        self.call = call
        self.shares = shares
        self.isWeekly = isWeekly
    }

    func run() throws(UserError) -> ExitCode {
        var outcomes = try answers()
        try giveBack(&outcomes)
        let list = try synced()
        var lines: [String] = []
        var failure: UserError?
        for (share, outcome) in zip(shares, outcomes) {
            let (page, spot) = (share.page, share.spot)
            switch outcome.state {
            case .known(.done):
                if let token = outcome.booked {
                    lines.append(try page.text.booked(spot, token))
                }
            case .known(.waiting):
                lines.append(try page.text.waiting(spot, number: outcome.waiting ?? 0))
            case .known(.asked): lines.append(try page.text.asked(spot))
            case .known(.refused), .known(.over), .other:
                if share.isPart, outcome.state.known == .over {
                    lines.append(
                        "Not kept: \(page.reader.words(spot)), since the rest was refused")
                    continue
                }
                let (error, line) = try refused(share, outcome)
                failure = failure ?? error
                if isWeekly || share.isPart { lines.append(line) }
            }
        }
        // What was booked is said, also where something else was refused.
        if let failure, !isWeekly || !outcomes.contains(where: { $0.state.known == .done }) {
            for line in lines { call.say(line) }
            throw failure
        }
        let code = call.finish(["bookings": .array(told(outcomes, list))], lines)
        if let failure { return failure.code.exit }
        return hinted(outcomes, list) ?? code
    }

    // MARK: Asking

    /// Asks for all of it before it waits for any of it.
    private func answers() throws(UserError) -> [AskOutcome] {
        var waits: [(volume: Volume, wait: AskWait)] = []
        var ledgers: [Volume] = []
        for share in shares {
            let volume = try share.page.agent.name().volume
            ledgers.append(volume)
            guard !waits.contains(where: { $0.volume == volume }) else { continue }
            waits.append((volume, try AskWait(call, share.page.agent)))
            sayWhoIsAway(share.page)
        }
        var asked: [AskOutcome] = []
        for (share, volume) in zip(shares, ledgers) {
            guard let wait = waits.first(where: { $0.volume == volume })?.wait else { continue }
            do throws(UserError) {
                asked.append(try ask(share, wait))
            } catch {
                // A half that is asked for alone is taken back.
                for (place, one) in asked.enumerated() where shares[place].isPart {
                    _ = try? shares[place].page.agent.ask(Op.WithdrawAsk(ask: one.ask))
                }
                throw error
            }
        }
        for (volume, wait) in waits {
            let places = ledgers.indices.filter { ledgers[$0] == volume }
            let isHere = places.first.map { shares[$0].page.sight == .here } ?? true
            let told = try wait.follow(places.map { asked[$0] }, isHere: isHere)
            for (place, outcome) in zip(places, told) { asked[place] = outcome }
        }
        return asked
    }

    private func ask(_ share: BookShare, _ wait: AskWait) throws(UserError) -> AskOutcome {
        let spot = share.spot
        return try wait.ask(
            Op.Book(
                place: spot.place, period: PeriodFacts(spot.period), count: spot.count,
                waits: call.line.has("wait"), tag: try tag(share.page.agent),
                note: call.line.value("for-note")))
    }

    private func sayWhoIsAway(_ page: BookingPage) {
        guard page.sight != .here else { return }
        let words = DeskStateText.request(page.sight, page.offered.clock, at: page.now)
        call.hint("The request is \(words).")
    }

    /// Of a booking in two ledgers, nothing is kept if a part of it was refused.
    private func giveBack(_ outcomes: inout [AskOutcome]) throws(UserError) {
        for (place, share) in shares.enumerated() where share.isPart {
            let isRefused = outcomes.indices.contains { other in
                shares[other].whole == share.whole && Self.isRefused(outcomes[other])
            }
            guard isRefused, !Self.isRefused(outcomes[place]) else { continue }
            let agent = share.page.agent
            if outcomes[place].booked == nil {
                _ = try agent.ask(Op.WithdrawAsk(ask: outcomes[place].ask))
                // The desk may have granted it before it heard that.
                outcomes[place] = try agent.ask(Op.Asked(ask: outcomes[place].ask)).reply
            }
            guard let token = outcomes[place].booked else {
                outcomes[place].state = Word(.over)
                continue
            }
            let wait = try AskWait(call, agent)
            let asked = try wait.ask(Op.GiveBack(token: hexadecimal(token.bytes)))
            guard try wait.follow([asked])[0].state.known == .done else {
                call.hint(
                    "Still booked, and asked to be given back: "
                        + share.page.reader.words(share.spot))
                continue
            }
            call.hint("Given back: \(share.page.reader.words(share.spot))")
            outcomes[place].state = Word(.over)
        }
    }

    private static func isRefused(_ outcome: AskOutcome) -> Bool {
        switch outcome.state {
        case .known(.refused), .known(.over), .other: true
        case .known(.done), .known(.waiting), .known(.asked): false
        }
    }

    /// What finds the booking by the user's address, unless they leave it out.
    private func tag(_ agent: VenueAgent) throws(UserError) -> String? {
        guard !call.line.has("unlisted"), let address = try OwnerDetails.read(call.place)[.mail]
        else { return nil }
        return hexadecimal(try CheckCommand.tag(address, agent).bytes)
    }

    // MARK: Telling

    private func synced() throws(UserError) -> BookingHistory {
        var synced: [Volume] = []
        for share in shares {
            let volume = try share.page.agent.name().volume
            guard !synced.contains(volume) else { continue }
            synced.append(volume)
            _ = try BookingSync(call, share.page.agent).sync()
        }
        return try BookingHistory.read(call.place)
    }

    /// Why it was refused, with what could be had instead, and a line about it.
    private func refused(
        _ share: BookShare, _ outcome: AskOutcome
    ) throws(UserError) -> (UserError, String) {
        let (agent, spot) = (share.page.agent, share.spot)
        let reason = outcome.reason.flatMap { DeskReason(rawValue: $0) } ?? .refused
        let after = try BookingPage.after(reason, to: spot, agent)
        let error = BookingRefusal(
            after.reader, spot, near: after.near(spot, after: reason),
            quotas: after.quotas(of: agent.venue.place(spot.place))
        ).error(reason)
        return (error, "Refused: \(after.reader.words(spot)): \(error.what)")
    }

    private func told(_ outcomes: [AskOutcome], _ list: BookingHistory) -> [JSON] {
        outcomes.map { outcome in
            let item = list.items.first { $0.ask.map { hexadecimal($0.bytes) } == outcome.ask }
            return (item?.json ?? [:]).adding(["outcome": .string(outcome.state.text)])
        }
    }

    /// What else is to be known; the exit code of a request that is still open.
    private func hinted(_ outcomes: [AskOutcome], _ list: BookingHistory) -> ExitCode? {
        if outcomes.contains(where: { $0.state.known == .asked }) {
            call.hint("It stays asked, also when this computer is off: seatagent bookings")
            return ErrorCode.timeout.exit
        }
        if list.items.contains(where: { item in
            item.isUnpaid && outcomes.contains { $0.ask == item.ask.map { hexadecimal($0.bytes) } }
        }) {
            call.hint("How to pay: seatagent bookings pay")
        }
        return nil
    }
}
