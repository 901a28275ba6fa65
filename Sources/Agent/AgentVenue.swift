// SPDX-License-Identifier: Apache-2.0
import Launch
import Protocol
import System
import Text

/// The venue that an agent is in: the newest words of its operator that it can use, and the end of
/// its volume.
extension Agent {
    /// Takes the hours of newer words that the core heard of. They last as long as this process:
    /// the user's next command keeps the words, and a start without one hears of them again.
    func takeWords(_ notices: [Notice]) {
        guard let words else { return }
        for case .venue(let page) in notices {
            guard let newer = try? VenueStart(words.name, page),
                options.place.later == nil
                    ? newer.holds(at: SystemClock.utc()) : newer.hasSuchDays
            else {
                Log.line(
                    "words \(page.revision) of \(words.name.slug) make another day of today, or "
                        + "cannot be read: they count from the next command on")
                server?.publish([.trouble(.wordsWait)])
                continue
            }
            self.words = newer
            feed(.hours(newer.hours))
            takeDeskWords(newer)
        }
    }

    /// Ends the agent when the last day of its volume is over.
    func watchDay() {
        guard let words else { return }
        let now = SystemClock.moment()
        let left = words.hours.end.seconds - now.utc.seconds
        guard left > 0 else { return leave("that day of the venue is over") }
        // The clock may be set, a machine sleeps, and newer words have other hours.
        _ = loop.schedule(at: now.instant + min(.seconds(left), WindowWatch.longest)) {
            [weak self] in self?.watchDay()
        }
    }
}
