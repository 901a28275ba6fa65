// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import QR
import Text

/// A guest takes their key along into an agent of their own (docs/page.md section 8).
extension GuestDesk {
    /// Asks the guest's agent for the sealed key. Where it has gone out once, it is told again as
    /// it was, whatever passphrase comes with the question: the answer may have been lost.
    func takeKey(
        _ number: Int, _ arguments: [String: JSON],
        then: @escaping (Result<JSON, UserError>) -> Void
    ) {
        if let text = house.shelf.taken(number) {
            hasTaken(number)
            return then(.success(Self.told(text, isRepeated: true)))
        }
        guard let agent = agent(number), let link = agent.link, link.isHere else {
            return then(.failure(Self.away))
        }
        let call = ControlCall(operation: .takeKey, arguments: .object(arguments))
        takes(number, from: agent, true)
        link.ask(call) { [weak self] result in
            guard let self else { return }
            takes(number, from: agent, false)
            switch result {
            case .success(let said):
                hasTaken(number)
                then(.success(Self.told(said["text"]?.text ?? "", isRepeated: false)))
            case .failure(let error):
                // It may have gone with the question, and the key with it.
                guard let text = house.shelf.taken(number) else { return then(.failure(error)) }
                hasTaken(number)
                then(.success(Self.told(text, isRepeated: true)))
            }
        }
    }

    static let away = UserError(
        .noAgent, "the agent is away", why: "it comes back by itself")

    static let takes = UserError(
        .notAllowedNow, "your key is being taken along", why: "wait until that is over")
    static let moved = UserError(
        .notAllowedNow, "your key was taken along",
        why: "the text of it would be deleted: reload the page, and copy it first")

    /// The text, and its code as rows of dots.
    private static func told(_ text: String, isRepeated: Bool) -> JSON {
        var rows: [JSON] = []
        if let code = QRCode(text) {
            rows = (0..<code.side).map { y in
                .string(
                    String((0..<code.side).map { code.isDark($0, y) ? "#" as Character : "." }))
            }
        }
        return ["text": .string(text), "code": .array(rows), "again": .bool(isRepeated)]
    }
}
