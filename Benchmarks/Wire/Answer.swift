// SPDX-License-Identifier: Apache-2.0
import Glibc
import Protocol
import System

/// The other end: sends each message back, or counts a stream that was announced to it.
final class Answer {
    private let talk: Talk
    private let words: Words
    private var decoder = FrameDecoder(limit: Limits.frame)
    private var left = 0

    /// Serves one connection to its end.
    static func serve() throws {
        let loop = try EventLoop()
        let place = try Place(loop, seed: 2)
        let words = try Words()
        var answer: Answer?
        let listener = try place.listen { talk in
            guard answer == nil else { return talk.link.abort() }
            answer = Answer(talk, words)
            // Asked in each turn, so of the talk itself: a variable of a closure is watched.
            loop.nextDeadline = { talk.nextDeadline }
            loop.onDeadline = { _ in talk.tick() }
        }
        print(listener.port)
        fflush(nil)
        while answer?.talk.end == nil { loop.turn() }
    }

    private init(_ talk: Talk, _ words: Words) {
        self.talk = talk
        self.words = words
        talk.onMessage = { [unowned self] message in take(message) }
    }

    private func take(_ message: Message) {
        guard left == 0 else { return count() }
        guard case .directMessage(_, let text) = message, text.hasPrefix("stream ") else {
            return talk.send(message)
        }
        let parts = text.split(separator: " ").map(String.init)
        guard parts.count == 3, let level = Level(rawValue: parts[1]), let number = Int(parts[2])
        else { return talk.link.abort() }
        left = number
        switch level {
        case .frames: talk.onBytes = { [unowned self] in drawFrames($0) }
        case .messages: talk.onBytes = { [unowned self] in drawMessages($0) }
        case .session: break
        }
        talk.send(words.message("go"))
    }

    private func drawFrames(_ bytes: [UInt8]) {
        decoder.append(bytes)
        do {
            while let frame = try decoder.draw() {
                guard frame.count == Wire.messageSize else { return talk.link.abort() }
                count()
            }
        } catch {
            talk.link.abort()
        }
    }

    private func drawMessages(_ bytes: [UInt8]) {
        decoder.append(bytes)
        do {
            while let frame = try decoder.draw() {
                guard case .directMessage(_, let text)? = try decoder.message(frame),
                    text.utf8.count == Wire.messageSize
                else { return talk.link.abort() }
                count()
            }
        } catch {
            talk.link.abort()
        }
    }

    private func count() {
        left -= 1
        if left == 0 { talk.send(words.message("done")) }
    }
}
