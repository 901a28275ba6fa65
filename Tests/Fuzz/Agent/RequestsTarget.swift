// SPDX-License-Identifier: Apache-2.0
import FuzzKit
@testable import ControlAPI
@testable import Agent
import Protocol

@testable import Aviation
@testable import Store
@testable import Text

/// The control socket's desk over a real core: any line gets an answer that is one harmless line,
/// and so is every event that comes of it.
///
/// Input: lines. One that begins with `{` is a request; any other one is choices of what peers do.
enum RequestsTarget {
    static func run(_ input: [UInt8]) -> Verdict {
        let host = StageHost(Stage.ready)
        var verdict = Verdict.refused
        for line in input.split(separator: 10).prefix(24) {
            if line.first == UInt8(ascii: "{") {
                if answer(Array(line), host) { verdict = .accepted }
            } else {
                var choices = Choices(Array(line))
                for _ in 0..<8 where !choices.isEmpty { NodeTarget.step(&host.stage, &choices) }
            }
            tell(host)
        }
        return verdict
    }

    /// Whether the line was a request that the desk knows and did not refuse.
    private static func answer(_ line: [UInt8], _ host: StageHost) -> Bool {
        guard let json = try? JSON(line: line), let request = try? ControlRequest(json) else {
            return false
        }
        let desk = ControlDesk(host: host, request: request)
        do throws(UserError) {
            switch try desk.outcome() {
            case .done(let result): write(ControlReply.done(result, id: request.id))
            case .watch, .stop, .stay, .take: break
            case .dial(let address): host.dial(address)
            case .use(let layout): host.use(layout)
            case .match(let search, let result):
                switch result(search.answer, desk) {
                case .success(let found): write(ControlReply.done(found, id: request.id))
                case .failure(let error):
                    write(ControlReply.failed(error, id: request.id))
                    for line in error.lines { checkSafe(line) }
                    return false
                }
            case .perform(let intent, let result):
                var isDone = false
                host.perform(intent) { outcome in
                    isDone = (try? outcome.get()) != nil
                    switch outcome {
                    case .success(let reply):
                        write(ControlReply.done(result(reply, desk), id: request.id))
                    case .failure(let refusal):
                        write(ControlReply.failed(desk.error(refusal), id: request.id))
                    }
                }
                return isDone
            }
            return true
        } catch {
            write(ControlReply.failed(error, id: request.id))
            for line in error.lines { checkSafe(line) }
            return false
        }
    }

    private static func tell(_ host: StageHost) {
        let scribe = EventScribe(host: host)
        for notice in host.stage.notices {
            for event in scribe.events(notice) { write(JSON(event)) }
        }
        host.stage.settleWrites()
    }

    private static func write(_ json: JSON) {
        let line = json.line
        checkSafe(line)
        hold((try? JSON(line: line)) == json, "an answer that reads as another")
    }

    private static func checkSafe(_ line: String) {
        hold(line.unicodeScalars.allSatisfy(\.isSafeToPrint), "an answer that acts")
    }
}

/// The process around the core, as far as the desk asks for it.
private final class StageHost: ControlHost {
    var stage: Stage

    init(_ stage: Stage) { self.stage = stage }

    var node: Node { stage.node }
    var now: Moment { stage.now }
    var facts: AgentFacts {
        AgentFacts(
            profile: "me", pid: 5, started: UTCTime(seconds: 1_000_000), interface: nil,
            listening: ["127.0.0.1:5"], port: 5, mdns: false)
    }

    var endings = SwapEndings()
    var askEndings = AskEndings()
    let random16 = ThreadID(high: 1, low: 2)

    var cabin = CabinLayout.standard

    func use(_ layout: CabinLayout) { cabin = layout }

    func perform(_ intent: Intent, then: @escaping (Result<IntentReply, Refusal>) -> Void) {
        if let reply = stage.wish(intent) { then(reply) }
    }

    func search(_ query: SearchQuery, limit: Int) -> (hits: [SearchHit], more: Bool) {
        ([], false)
    }

    func dial(_ address: PeerAddress) { stage.feed(.typed(address)) }
    func copyFile(to path: String) throws(UserError) {}
    func stop() {}
    func stay() {}
    func forget() {}
    func takeKey(
        _ passphrase: [UInt8], then: @escaping (Result<Op.TakeKey.Reply, UserError>) -> Void
    ) {}
}
