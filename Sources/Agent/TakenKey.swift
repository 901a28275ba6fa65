// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Keys
import Profile
import Protocol
import Store
import System
import Text

/// What is left where a key was taken along to another computer.
enum TakenKey {
    /// Puts the text beside the file at `path`, for whoever asks while no agent runs. Where that
    /// fails it is done again by the next start: the file itself has it.
    static func publish(_ text: String, of path: String) {
        try? PrivateFile.write(
            Array((text + "\n").utf8), to: path + ProfilePlace.takenEnd, durably: true)
    }

    /// Why no agent starts here any more.
    static func gone(_ flight: FlightName) -> UserError {
        UserError(
            .notAllowedNow, "the key of this flight was taken along to another computer",
            why: "here nothing is signed with it any more, or there would be two of you",
            advice: "seatagent forget \(flight.isPractice ? "practice" : flight.text) --yes")
    }
}

/// Lets the passenger take their key along into an agent on another computer.
///
/// A key that signs in two places is forked (docs/protocol.md section 10). So the agent first waits
/// until somebody else has all that it signed; then it notes on the disk that the key has left, in
/// the same commit that erases it, and signs and sends nothing more; and only then says the text.
/// Whoever asks again, also after a crash, is told the same text.
extension Agent {
    /// How long somebody who has all own records is waited for, and how often it is looked.
    private static let takePatience = TimeSpan.seconds(10)
    private static let takePause = TimeSpan.milliseconds(300)

    func takeKey(
        _ passphrase: [UInt8], then: @escaping (Result<Op.TakeKey.Reply, UserError>) -> Void
    ) {
        if let error = keyStays(passphrase) { return then(.failure(error)) }
        guard let seal = SealedSeatKey(passphrase: passphrase) else {
            return then(
                .failure(UserError(.failed, "there is no memory to seal the key")))
        }
        takeKey(seal, until: loop.clock() + Self.takePatience, then)
    }

    private func takeKey(
        _ seal: SealedSeatKey, until end: Instant,
        _ then: @escaping (Result<Op.TakeKey.Reply, UserError>) -> Void
    ) {
        // What this turn signed is stored and sent first.
        carryOut()
        if let taken { return then(.success(Op.TakeKey.Reply(text: taken))) }
        if let error = keyStays() { return then(.failure(error)) }
        let signed = node.logs.seq(of: node.me)
        if signed > 0, node.acknowledged >= signed {
            return then(leave(seal, signed).map { Op.TakeKey.Reply(text: $0) })
        }
        feed(.probeOwnLog)
        carryOut()
        guard loop.clock() < end else {
            return then(
                .failure(
                    UserError(
                        .notAllowedNow, "nobody else has all your records yet",
                        why: "your next agent has to fetch them from another passenger's agent; "
                            + "ask again when one is in reach", advice: "seatagent peers")))
        }
        _ = loop.schedule(at: loop.clock() + Self.takePause) { [weak self] in
            self?.takeKey(seal, until: end, then)
        }
    }

    /// The key leaves: behind the commit nothing here can sign with it.
    private func leave(_ seal: SealedSeatKey, _ signed: Int) -> Result<String, UserError> {
        let passenger = PeopleBook(node)[node.me]
        let seat = SeatKey(
            seed: opened.seed, auth: opened.flightKey.auth, flight: options.flight,
            isGated: options.code != nil, floor: signed, name: passenger?.name ?? options.name,
            seats: node.fold.held(by: node.me).map(\.seat.text).joined(separator: ","))
        guard let text = seal.text(of: seat) else {
            return .failure(UserError(.failed, "the key cannot be sealed"))
        }
        do throws(StoreError) {
            try opened.store.markTaken(text)
            taken = text
            meet?.stop()
            TakenKey.publish(text, of: opened.path)
            Log.line("the key was taken along to another computer: nothing is signed here any more")
            return .success(text)
        } catch {
            return .failure(
                UserError(
                    .file, "the flight's file cannot be written", why: error.words,
                    advice: "seatagent status"))
        }
    }

    /// Why the key cannot leave now.
    private func keyStays(_ passphrase: [UInt8]? = nil) -> UserError? {
        if let passphrase, taken == nil {
            let count = String(decoding: passphrase, as: UTF8.self).count
            guard count >= SeatKey.passphraseLeast,
                passphrase.count <= SeatKey.passphraseMost
            else {
                return UserError(
                    .badRequest, "this passphrase does not fit",
                    why: "it has \(count) characters, and needs "
                        + "\(SeatKey.passphraseLeast); whoever sees the code can try many")
            }
        }
        if taken != nil { return nil }
        guard !isForgetting else {
            return UserError(
                .logClosed, "your key cannot leave now",
                why: "this agent forgets the flight, and its key with it")
        }
        if let open = openSwaps.first {
            return UserError(
                .notAllowedNow, "you said yes to request \(open.number), and it is not over",
                why: open.recant == nil
                    ? "its outcome has to come here first: wait for it"
                    : "wait for the answer, or take your yes back",
                advice: "seatagent requests")
        }
        guard node.canAppend, !node.isBound(at: SystemClock.utc()) else {
            return UserError(
                .logClosed, "your key cannot leave now",
                why: facts.logTrouble ?? "your own earlier records are still looked for",
                advice: "seatagent status")
        }
        return nil
    }
}
