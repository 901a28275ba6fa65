// SPDX-License-Identifier: Apache-2.0
import CivilTime
package import ControlAPI
import Text

/// The words for the computer having slept, and for what is open.
package struct WakeText {
    private let news: WokeNews

    /// The words for `news`.
    package init(_ news: WokeNews) { self.news = news }

    /// Whether there is anything to do or to wait for.
    package var isAnythingOpen: Bool { !news.open.isEmpty }

    /// `this computer slept for 1 h 2 min. Open: request 3 waits for your answer.`
    package var sentence: String {
        let slept = SpanText.words(Int64(news.slept))
        let parts = news.open.map { "request \($0.number) \(Self.words($0))" }
        return "this computer slept for \(slept). "
            + (parts.isEmpty
                ? "No request is open." : "Open: " + parts.joined(separator: "; ") + ".")
    }

    private static func words(_ item: WokeNews.Item) -> String {
        switch item.state {
        case .known(.open):
            item.needsAnswer ? "waits for your answer" : "waits for an answer"
        case .known(.agreed): "is agreed and not confirmed yet"
        case .known(.stranded), .known(.final), .known(.declined), .known(.withdrawn),
            .known(.expired), .known(.failed), .other:
            "has no outcome yet, and your seat is locked"
        }
    }
}
