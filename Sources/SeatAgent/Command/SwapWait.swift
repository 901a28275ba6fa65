// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Protocol
import System
import Text
import Wording

/// Waits on a watched connection until a negotiation is decided, and reports that.
struct SwapWait {
    let call: Invocation
    let client: ControlClient

    /// Continues from `request`, which was read after the watch began. What `told` says of it is
    /// not said again. Throws `declined`, `expired`, `withdrawn`, `aborted` or `timeout`.
    func follow(
        _ request: SwapRequest, _ json: JSON, told: SwapRequest? = nil
    ) throws(UserError) -> ExitCode {
        var last = told.map { Step(RequestText($0)) }
        var (current, json, number) = (request, json, request.number)
        while true {
            let text = RequestText(current)
            // Both asked for the same at the same time: one of the two requests continues, for
            // both.
            if let other = try twin(of: text) {
                (current, json, number) = (other, JSON(other), other.number)
                continue
            }
            if let failure = text.failure {
                if let other = try successor(of: current) {
                    (current, json, number) = (other, JSON(other), other.number)
                    continue
                }
                guard current.looking || current.counts else { throw failure }
                call.hint(
                    "Request \(number) "
                        + (current.counts ? Self.counting : Self.looking))
                (current, json) = try next(number)
                number = current.number
                continue
            }
            if text.state == .final { return call.finish(json, [text.swapped] + text.warnings) }
            let step = Step(text)
            if step != last { tell(text) }
            last = step
            (current, json) = try next(number)
        }
    }

    // MARK: After a yes

    /// After everybody's yes: reports the end, which takes about a second between agents that are
    /// connected; where it does not come, says what it waits for. Throws as ``follow(_:_:told:)``
    /// does.
    static func close(_ request: SwapRequest, _ call: Invocation) throws(UserError) -> ExitCode {
        let text = RequestText(request)
        guard !call.json, request.letter == nil, text.isConfirming else { return .done }
        if !request.by.away, let code = try end(of: request, call) { return code }
        call.hint(text.unconfirmed)
        call.hint("  try: seatagent requests")
        return .done
    }

    /// Waits a moment for the end; `nil` where it does not come.
    private static func end(
        of request: SwapRequest, _ call: Invocation
    ) throws(UserError) -> ExitCode? {
        let client = try call.connect(deadline: SystemClock.now() + patience)
        do throws(UserError) {
            _ = try client.ask(Op.Watch(events: [Word(.request), Word(.swap)]))
            let known = try client.ask(Op.Requests(all: true)).requests
            guard let now = known.first(where: { $0.number == request.number }) else {
                return nil
            }
            return try SwapWait(call: call, client: client).follow(
                now, JSON(now), told: request)
        } catch {
            guard error.code == .timeout else { throw error }
            return nil
        }
    }

    private static let patience = TimeSpan.seconds(10)

    /// What has to change before something is said.
    private struct Step: Hashable {
        let state: Word<RequestState>
        let needsAnswer: Bool
        let isWaiting: Bool

        init(_ text: RequestText) {
            (state, needsAnswer, isWaiting) = (text.state, text.needsAnswer, text.isWaiting)
        }
    }

    /// The request that replaced one that was taken back, if it moves the same seats.
    private func twin(of text: RequestText) throws(UserError) -> SwapRequest? {
        guard text.state == .withdrawn, let instead = text.instead else { return nil }
        return try client.ask(Op.Requests(all: true)).requests.first {
            $0.number == instead && RequestText($0).isAlike(text)
        }
    }

    /// What the user's agent proposed in the place of one that came to nothing.
    private func successor(of request: SwapRequest) throws(UserError) -> SwapRequest? {
        guard let number = request.replaced else { return nil }
        return try client.ask(Op.Requests(all: true)).requests.first { $0.number == number }
    }

    private func tell(_ text: RequestText) {
        switch text.state {
        case .known(.agreed): call.say(text.agreement)
        case .known(.stranded):
            call.hint("No outcome yet; your seat is locked until there is one.")
            call.hint("  try: seatagent force \(text.number)")
        case .known(.open) where text.needsAnswer: call.hint(text.line())
        case .known(.open), .known(.final), .known(.declined), .known(.withdrawn),
            .known(.expired), .known(.failed), .other:
            break
        }
    }

    private static let looking = "came to nothing: another is looked for ..."
    private static let counting = "came to nothing: your yes counts for what takes its place ..."

    /// The request of that number, or what took its place.
    private static func isIt(_ request: SwapRequest, _ number: Int) -> Bool {
        request.number == number || request.after == number
    }

    private func next(_ number: Int) throws(UserError) -> (SwapRequest, JSON) {
        while let told = try client.nextEvent() {
            switch told.event.what {
            case .request(let request) where Self.isIt(request, number),
                .swap(let request) where Self.isIt(request, number):
                return (request, told.json)
            case .peer, .chat, .message, .offer, .seat, .claim, .request, .swap, .record, .seated,
                .verify, .party, .cabin, .layout, .awake, .woke, .attendance, .booking, .trouble,
                .window,
                .ready, .other:
                continue
            }
        }
        throw UserError(
            .unreachable, "the agent has gone", why: "it closed the connection",
            advice: "seatagent status")
    }
}
