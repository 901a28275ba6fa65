// SPDX-License-Identifier: Apache-2.0
/// Letters of passengers who are never online together (docs/meet.md section 4).
extension Node {
    /// What this agent has to leave for each passenger with whom no session is open: what the
    /// session would hear first, and a yes that waits for them. Nothing is left for those who are
    /// linked or blocked, nor for those with whom all is over; they are named so that what was left
    /// before can be cleared. `nil` while the own log may not be appended to: nobody knows yet.
    /// Sorted by key.
    package func mail(at now: Moment) -> [Mail]? {
        guard records.gate.isOpen, !isStopping else { return nil }
        var mail: [PeerKey: [Letter]] = [:]
        let since = UTCTime(seconds: now.utc.seconds - Limits.letterStay)
        let known = swaps.correspondents(since: since) + talk.outbox.correspondents(since: since)
        for peer in known {
            guard mail.count < Limits.correspondents else { break }
            if mail[peer] == nil { mail[peer] = [] }
        }
        let letters = swaps.letters(at: now.utc) + talk.outbox.letters(at: now.utc)
        for (peer, letter) in letters
        where mail[peer] != nil && !isLinked(peer) && !people.blocked.contains(peer) {
            mail[peer]?.append(letter)
        }
        return mail.keys.sorted().map { Mail($0, mail[$0] ?? []) }
    }

    /// Until when somebody who is away would do what the user asked them; `nil` if they did not
    /// leave word. It binds nothing: both agents have to be online at one moment.
    package func wouldDo(_ record: SwapRecord) -> UTCTime? { standing.until(record) }

    /// Letters came: all that a passenger has open. They are taken as if a session had said them,
    /// but nothing is answered, and no ASK among them counts as one of a session. While a session
    /// is open it says all that itself.
    mutating func lettered(_ mail: Mail, _ effects: inout Effects, at now: Moment) {
        let peer = mail.peer
        guard peer != me, !people.blocked.contains(peer), !isLinked(peer) else { return }
        var answers: [StandingAnswer] = []
        for letter in mail.letters where letter.until > now.utc {
            switch letter.body {
            case .standing(let answer): answers.append(answer)
            case .message(.directMessage(let id, let text)):
                take(id, text, from: peer, &effects, at: now)
            case .message(.swap(let message)) where message.goesByLetter:
                let left = letter.until.seconds - now.utc.seconds
                swapMessage(message.lasting(left).unsaid(by: peer), from: peer, &effects, at: now)
            case .message: break
            }
        }
        standing.take(answers, from: peer, to: swaps.records)
        mesh.becomeStale()
    }
}
