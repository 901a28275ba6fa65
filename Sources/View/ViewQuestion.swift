// SPDX-License-Identifier: Apache-2.0
package import Protocol
package import Terminal
import Text

/// A question before something binds. Only y and n answer it; any other key puts it away.
package struct Question: Hashable, Sendable {
    /// The whole sentence.
    package let sentence: String
    /// What it is about, as a list above it.
    package var lines: [String] = []
    /// What a yes does.
    package let intent: ViewIntent
    /// What is asked after a yes, before it is done.
    package var second: String?
    /// What is asked next, after a yes, in place of doing something.
    package var then: [Question] = []
    /// What a no does, unless nothing.
    package var otherwise: ViewIntent?
    /// The passenger with whom codes are compared, if the question is about that.
    package var comparing: String?
    /// The passenger who has the code of the party, if the question is about that.
    package var candidate: String?
    /// The hash of the layout, if the question is about how to draw the cabin.
    package var layout: String?
    /// The numbers, as they were shown.
    package var code: String?
    /// The typed line that led to the question; it comes back if the question is put away.
    package var line: String?
    /// When it appeared on the screen.
    package var arrived = Instant(nanoseconds: 0)
    /// Whether it is on the screen.
    var isPainted = false

    /// Nobody reads a question faster: a y or an n that comes sooner was meant for something else.
    package static let readingTime = TimeSpan.seconds(1)
    /// The hint after a key that came sooner.
    package static let tooSoon = "  That came before the question could be read."

    /// Whether it has been on the screen long enough to be read.
    package func isReadable(at now: Instant) -> Bool { now - arrived >= Self.readingTime }

    /// What the keys do now.
    package func hint(at now: Instant) -> String {
        isReadable(at: now)
            ? "y or n answers, any other key puts it away"
            : "Read it first: y and n count in a moment"
    }
}

extension Question {
    /// The sentence without the letters that answer it.
    var statement: String {
        let letters = " y/n"
        return sentence.hasSuffix(letters) ? String(sentence.dropLast(letters.count)) : sentence
    }

    /// The lines of the screen that it takes, with the list above it.
    func pieces(cells: Int) -> [String] {
        (lines + [sentence]).flatMap { Wrapping.lines(visible($0), cells: max(cells, 1)) }
    }
}

extension ViewState {
    /// Asks a question because of a key.
    package mutating func put(_ question: Question) {
        guard self.question == nil else {
            following.append(question)
            return
        }
        self.question = question
        self.question?.arrived = now
        self.question?.isPainted = false
    }

    /// Asks a question that came by itself, as soon as no other question is open and nothing is
    /// being typed.
    mutating func putLater(_ question: Question) {
        if editor.isEmpty || focus != .input { return put(question) }
        following.append(question)
    }

    /// Asks the waiting question; `false` if there is none.
    mutating func putFollowing() -> Bool {
        guard question == nil, !following.isEmpty else { return false }
        put(following.removeFirst())
        return true
    }

    /// The picture has been on the screen since `now`, so the time to read a new question begins;
    /// `true` if there is one.
    package mutating func painted(at now: Instant) -> Bool {
        guard question?.isPainted == false else { return false }
        question?.isPainted = true
        question?.arrived = now
        return true
    }

    /// Handles a key while a question is open.
    package mutating func answer(_ question: Question, _ key: Key) -> [ViewIntent] {
        switch key {
        case .letter("y"), .letter("Y"):
            guard question.isReadable(at: now) else { return [] }
            self.question = nil
            if let second = question.second {
                put(Question(sentence: second, intent: question.intent, line: question.line))
                return []
            }
            if let next = question.then.first {
                put(next)
                return []
            }
            _ = putFollowing()
            return [question.intent]
        case .letter("n"), .letter("N"):
            guard question.isReadable(at: now) else { return [] }
            self.question = nil
            _ = putFollowing()
            if let otherwise = question.otherwise { return [otherwise] }
            notice = "Nothing was sent."
            return []
        case .control("l"): return [.redraw]
        case .click, .wheel: return []
        default: return putAway(question, key)
        }
    }

    /// Neither yes nor no: nothing is sent, and what was being typed is in the line again.
    private mutating func putAway(_ question: Question, _ key: Key) -> [ViewIntent] {
        self.question = nil
        guard question.otherwise != nil else {
            let isBack = question.line != nil && editor.isEmpty
            if isBack, let line = question.line { editor.replace(with: line) }
            notice = isBack ? "Nothing was sent. Your line is back." : "Nothing was sent."
            return key == .control("z") ? [.suspend] : []
        }
        // It came by itself while a first letter was being typed, and it will come again.
        following.append(question)
        var intents: [ViewIntent] = []
        if focus == .input {
            switch key {
            case .letter(let letter): intents = type(letter)
            case .paste(let text): intents = paste(text)
            default: break
            }
        }
        notice = "Not answered. F5 asks again."
        return key == .control("z") ? [.suspend] : intents
    }
}
