// SPDX-License-Identifier: Apache-2.0
package import Protocol
package import Terminal

/// What is asked before something binds. Only y and n answer; any other key puts the question away.
package struct Question: Hashable, Sendable {
    /// The whole sentence.
    package let sentence: String
    /// What a yes does.
    package let intent: ViewIntent
    /// What is asked after a yes, before it is done.
    package var second: String?
    /// What a no does, where it is not nothing.
    package var otherwise: ViewIntent?
    /// The passenger with whom codes are compared, if it is about that.
    package var comparing: String?
    /// What tells the layout from others, if it is about how the cabin is drawn.
    package var layout: String?
    /// The numbers, as they were shown.
    package var code: String?
    /// The typed line that asked for it: it comes back where the question is put away.
    package var line: String?
    /// When it came to the screen.
    package var arrived = Instant(nanoseconds: 0)
    /// Whether it is on the screen.
    var isPainted = false

    /// Nobody reads a question faster: a y or an n that comes sooner was meant for something else.
    package static let readingTime = TimeSpan.seconds(1)
    /// What is said of a line that came sooner.
    package static let tooSoon = "  That came before the question could be read."

    /// Whether it stood there long enough to be read.
    package func isReadable(at now: Instant) -> Bool { now - arrived >= Self.readingTime }

    /// What the keys do now.
    package func hint(at now: Instant) -> String {
        isReadable(at: now)
            ? "y or n answers, any other key puts it away"
            : "Read it first: y and n count in a moment"
    }
}

extension ViewState {
    /// Puts a question that a key asked for.
    package mutating func put(_ question: Question) {
        guard self.question == nil else {
            following.append(question)
            return
        }
        self.question = question
        self.question?.arrived = now
        self.question?.isPainted = false
    }

    /// Puts a question that came by itself, as soon as nothing else is being asked or typed.
    mutating func putLater(_ question: Question) {
        if editor.isEmpty || focus != .input { return put(question) }
        following.append(question)
    }

    /// Puts the question that had to wait; `false` where none did.
    mutating func putFollowing() -> Bool {
        guard question == nil, !following.isEmpty else { return false }
        put(following.removeFirst())
        return true
    }

    /// The picture is on the screen since `now`: the time to read a new question
    /// begins. `true` where one does.
    package mutating func painted(at now: Instant) -> Bool {
        guard question?.isPainted == false else { return false }
        question?.isPainted = true
        question?.arrived = now
        return true
    }

    /// A key while a question stands.
    package mutating func answer(_ question: Question, _ key: Key) -> [ViewIntent] {
        switch key {
        case .letter("y"), .letter("Y"):
            guard question.isReadable(at: now) else { return [] }
            self.question = nil
            if let second = question.second {
                put(Question(sentence: second, intent: question.intent, line: question.line))
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

    /// Neither yes nor no: nothing is sent, and what was being typed is there again.
    private mutating func putAway(_ question: Question, _ key: Key) -> [ViewIntent] {
        self.question = nil
        guard question.otherwise != nil else {
            let isBack = question.line != nil && editor.isEmpty
            if isBack, let line = question.line { editor.replace(with: line) }
            notice = isBack ? "Nothing was sent. Your line is back." : "Nothing was sent."
            return key == .control("z") ? [.suspend] : []
        }
        // It came by itself, while a first letter was on its way to the line, and it comes again.
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
