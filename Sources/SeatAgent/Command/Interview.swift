// SPDX-License-Identifier: Apache-2.0
import CivilTime
import Launch
import Profile
import Text
import Trips

/// The questions of a first run (docs/guide/first-flight.md), one after another. A pure value:
/// lines go in, prompts and options come out.
struct Interview: Hashable, Sendable {
    /// The result of an answer.
    enum Outcome: Hashable, Sendable {
        /// The next prompt, or the same again; first a line about the answer, if there is one.
        case ask(String?)
        /// The options to start with, by name.
        case done([String: [String]])
        /// The person left; the line says that nothing was done.
        case left(String)
    }

    /// A flight of the passenger's list that departs soon.
    struct Proposal: Hashable, Sendable {
        /// `FR 202 on 2026-03-05 from DUB, in 17A`.
        let words: String
        /// What the list knows, as options of `up`.
        let values: [String: [String]]
    }

    private enum Step: Hashable, Sendable {
        /// Whether it is the proposed flight of the list.
        case trip
        /// Whether everything is as the last time.
        case still
        case flight
        /// The airport from which the flight of these words leaves, and the day if not today.
        case airport(FlightWords)
        case seat
        case name
        /// Whether to join the network with this number.
        case network(Int)
    }

    private let stored: [String: [String]]
    private let trip: Proposal?
    private let name: String
    private let networks: [JoinableNetwork]
    private let interfaces: [String]
    private let computer: String
    private let today: FlightDate?
    private var step: Step
    private var values: [String: [String]] = [:]

    private static let promise = "Four questions; nothing leaves this computer until the last."
    private static let nothing = "Nothing was joined."

    /// Asks whether it is still the seat of `stored`, or everything where that is empty. `name` is
    /// the one that is proposed; `networks` are proposed in their order; `interfaces` are the names
    /// of all that this machine has, also of those that nobody would propose. A `trip` is asked for
    /// first. `computer` is the name that avahi-daemon may announce on a network; empty for none.
    /// `today` is the day of a flight that is typed without one.
    init(
        stored: [String: [String]], name: String, networks: [JoinableNetwork],
        interfaces: [String], trip: Proposal? = nil, computer: String = "", today: FlightDate? = nil
    ) {
        self.stored = stored
        self.trip = trip
        self.name = name
        self.networks = networks
        self.interfaces = interfaces
        self.computer = computer
        self.today = today
        step = trip != nil ? .trip : stored.isEmpty ? .flight : .still
    }

    /// The line above the first question; `nil` for none.
    var greeting: String? {
        switch step {
        case .still: nil
        case .trip: "Welcome aboard. Nothing leaves this computer until the last question."
        case .flight, .airport, .seat, .name, .network: "Welcome aboard. " + Self.promise
        }
    }

    /// The question, without a line end.
    var prompt: String {
        switch step {
        case .trip: return "\(visible(trip?.words ?? "", cells: 80)): join it? [Y/n] "
        case .still:
            let seats = (stored["seat"] ?? []).joined(separator: ",").uppercased()
            let flight = stored["flight"]?.last.map { " on \($0)" } ?? ""
            return "Still \(visible(seats, cells: 40))\(visible(flight, cells: 40))? [Y/n] "
        case .flight:
            guard let last = stored["flight"]?.last else {
                return "Your flight (for example FR202; Enter: a practice flight): "
            }
            return "Your flight, or practice [\(visible(last, cells: 40))]: "
        case .airport:
            return "The airport it leaves from, and the day if not today (DUB, or DUB tomorrow): "
        case .seat: return "Your seat (for example 14C; with your party 14C,14D): "
        case .name: return "A name others will see [\(visible(name, cells: 48))]: "
        case .network(let index): return "Network: \(networks[index].words). Join it? [Y/n] "
        }
    }

    /// Whether the next answer may join a network.
    var isLast: Bool {
        switch step {
        case .still, .network: true
        case .trip, .flight, .airport, .seat, .name: false
        }
    }

    /// Handles one line; `nil` is the end of input.
    mutating func answer(_ line: String?) -> Outcome {
        guard let line else { return .left(Self.nothing) }
        let answer = trimmed(line)
        switch step {
        case .trip: return trip(answer)
        case .still: return still(answer)
        case .flight: return flight(answer)
        case .airport(let words): return airport(answer, words)
        case .seat: return seat(answer)
        case .name: return name(answer)
        case .network(let index): return network(answer, index)
        }
    }

    private mutating func trip(_ answer: String) -> Outcome {
        guard let isYes = Self.isYes(answer) else { return Self.again }
        guard isYes else {
            step = stored.isEmpty ? .flight : .still
            return .ask(nil)
        }
        values = trip?.values ?? [:]
        step = values["seat"] == nil ? .seat : .name
        return .ask(nil)
    }

    private mutating func still(_ answer: String) -> Outcome {
        guard let isYes = Self.isYes(answer) else { return Self.again }
        guard isYes else {
            step = .flight
            return .ask(Self.promise)
        }
        values = stored
        guard let interface = stored["interface"]?.last,
            !interfaces.contains(interface), !networks.isEmpty
        else { return .done(values) }
        values["interface"] = nil
        step = .network(0)
        return .ask("\(visible(interface, cells: 16)) is not there now.")
    }

    private mutating func flight(_ answer: String) -> Outcome {
        let last = stored["flight"]?.last
        if answer.lowercased() == "practice" || answer.isEmpty && last == nil {
            step = .seat
            return .ask("The practice flight: everybody who names none is on it.")
        }
        let words = FlightWords(dated(answer.isEmpty ? last ?? "" : answer))
        // It may be meant for a day, and the destination is not asked for.
        if let day = words.airports.dropFirst().first, Self.weekdays.contains(day) {
            return .ask(notUnderstood(day))
        }
        return flight(words, typed: answer)
    }

    /// Takes a flight whose date and airport are known, and asks for what is missing.
    private mutating func flight(_ words: FlightWords, typed: String) -> Outcome {
        if let stray = words.stray { return .ask(notUnderstood(stray)) }
        do throws(UserError) {
            // An invalid number is reported before more is asked about it.
            let day = words.date ?? today?.text
            let probe = try FlightText.read(
                "\(words.number)/\(day ?? "2026-12-05")/\(words.airports.first ?? "DUB")")
            guard day != nil, !words.airports.isEmpty else {
                step = .airport(words)
                return .ask(nil)
            }
            values["flight"] = [probe.flight.text]
            step = .seat
            let name =
                "Everybody aboard names it alike: \(probe.flight.text).\(near(probe.flight.date))"
            return .ask((probe.remarks + [name]).map { visible($0) }.joined(separator: "\n"))
        } catch {
            return Self.again(
                UserError(
                    .usage, "\"\(visible(typed, cells: 40))\" is not a flight", why: error.why))
        }
    }

    private mutating func airport(_ answer: String, _ words: FlightWords) -> Outcome {
        guard !answer.isEmpty else {
            return .ask("It stands on your boarding pass, three letters.")
        }
        let said = FlightWords(number: words.number, rest: dated(answer))
        // The destination is not asked for: a second word here may be meant for a day.
        if let stray = said.stray ?? said.airports.dropFirst().first {
            return .ask(notUnderstood(stray))
        }
        let known: [String?] = [
            said.date ?? words.date, said.airports.first ?? words.airports.first,
        ]
        let rest = known.compactMap(\.self).joined(separator: " ")
        return flight(FlightWords(number: words.number, rest: rest), typed: answer)
    }

    /// What was typed with the dates of `today` and `tomorrow` behind it, in place of these words,
    /// and without what may stand between two airports.
    private func dated(_ typed: String) -> String {
        let ahead: [String: Int64] = ["today": 0, "tomorrow": 1]
        var pieces: [String] = []
        var dates: [String] = []
        for piece in FlightWords.pieces(typed) {
            if let today, let days = ahead[piece.lowercased()] {
                dates.append(today.adding(days).text)
            } else if !["to", "-"].contains(piece.lowercased()) {
                pieces.append(piece)
            }
        }
        return (pieces + dates).joined(separator: " ")
    }

    /// Says of a date close by that it is.
    private func near(_ date: String) -> String {
        guard let today else { return "" }
        if date == today.text { return " That is today." }
        return date == today.adding(1).text ? " That is tomorrow." : ""
    }

    /// Some of these are airports, too.
    private static let weekdays = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"]

    /// No word is passed over: it may have been the day.
    private func notUnderstood(_ word: String) -> String {
        let day = today.map { "\($0.adding(1).text) or tomorrow" } ?? "2026-12-05"
        return visible(
            "\"\(visible(word, cells: 40))\" is not understood: after the number comes the airport "
                + "it leaves from, such as DUB, and the day, such as \(day).")
    }

    private mutating func seat(_ answer: String) -> Outcome {
        guard !answer.isEmpty else {
            return .ask("It stands on your boarding pass, a number and a letter.")
        }
        do throws(UserError) {
            values["seat"] = [
                try AgentOptions.seats([answer]).map(\.text).joined(separator: ",")
            ]
        } catch {
            return Self.again(error)
        }
        step = .name
        return .ask(nil)
    }

    private mutating func name(_ answer: String) -> Outcome {
        do throws(UserError) {
            values["name"] = [
                try PassengerName.check(answer.isEmpty ? name : answer, advice: "seatagent")
            ]
        } catch {
            return Self.again(error)
        }
        guard !networks.isEmpty else { return .done(values) }
        step = .network(0)
        return .ask(networks.allSatisfy(\.isLoopback) ? Self.noNetwork : disclosure)
    }

    /// A computer alone meets nobody.
    private static let noNetwork =
        "This computer is on no network. Leave with Ctrl-D, join the Wi-Fi of the cabin,\n"
        + "all of you the same one, and start again. Where there is none, one laptop makes\n"
        + "one for the others: nmcli device wifi hotspot ssid seatagent"

    /// What joining a network reveals beyond seatagent; not by this program, which cannot prevent
    /// it.
    private var disclosure: String? {
        guard !computer.isEmpty, networks.contains(where: { !$0.isLoopback }) else { return nil }
        return "On a network avahi-daemon also announces this computer, as "
            + "\(visible(computer, cells: 64)).local unless you gave it another name: "
            + "`seatagent doctor` says which, and how to change it."
    }

    private mutating func network(_ answer: String, _ index: Int) -> Outcome {
        guard let isYes = Self.isYes(answer) else { return Self.again }
        guard isYes else {
            guard index + 1 < networks.count else {
                return .left("There is no other network. " + Self.nothing)
            }
            step = .network(index + 1)
            return .ask(nil)
        }
        values["interface"] = [networks[index].name]
        return .done(values)
    }

    // MARK: Words

    private static let again = Outcome.ask("Please answer y or n; Ctrl-D leaves.")

    private static func again(_ error: UserError) -> Outcome {
        .ask(visible(error.what + (error.why.map { ": " + $0 } ?? "") + "."))
    }

    /// Enter alone means yes.
    private static func isYes(_ answer: String) -> Bool? {
        let word = answer.lowercased()
        if ["", "y", "yes"].contains(word) { return true }
        return ["n", "no"].contains(word) ? false : nil
    }

    private func trimmed(_ line: String) -> String {
        String(
            line.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
