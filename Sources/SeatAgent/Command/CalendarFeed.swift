// SPDX-License-Identifier: Apache-2.0
import Keys
import Profile
import System
import Text
import Trips

/// The calendar file of `calendar.feed`: written again after each command that changed what a
/// calendar has to know of. A calendar that subscribes to it needs no other command.
struct CalendarFeed {
    private let call: Invocation

    init(_ call: Invocation) { self.call = call }

    /// Writes it, if it is wanted and a list is newer. What keeps it from being written is said,
    /// and changes nothing about what was done.
    func refresh() {
        guard let path, isOld(path), let primitives = SodiumPrimitives() else { return }
        do throws(UserError) {
            try CalendarCommand.check(path)
            let page = try CalendarCommand.Page(call, "", primitives)
            // What cannot be read now would go out of the calendar.
            if let fault = page.leftOut { throw fault }
            try PassengerFile.write(Array(page.text.utf8), to: path)
        } catch {
            call.hint(
                "calendar.feed was not written: \(error.what)"
                    + (error.why.map { ": \($0)" } ?? ""))
        }
    }

    /// Where it is; `nil` if none is wanted.
    private var path: String? {
        let text = call.config.value(.calendarFeed)
        guard text.hasPrefix("~/") else { return text.isEmpty ? nil : text }
        return call.session.environment["HOME"].map { $0 + text.dropFirst() }
    }

    /// Whether one of the lists has changed since.
    private func isOld(_ path: String) -> Bool {
        guard let written = PrivateFile.facts(path)?.written else { return true }
        let lists = [SealableFile.bookings, .parking].map { $0.path(call.place) }
        return (lists + [call.place.tripsPath]).contains { list in
            PrivateFile.facts(list).map { $0.written > written } ?? false
        }
    }
}
