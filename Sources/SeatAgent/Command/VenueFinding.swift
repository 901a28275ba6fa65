// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Grammar
import Launch
import Profile
import Protocol
import Text
import Venues

/// `seatagent venue find`: the venues that announce themselves on this network.
///
/// Nobody signs an announcement. What is shown of one are a name in small letters, a tag and a kind
/// of volume; whether it is the venue that the user means, only the sign at its door says.
struct VenueFinding {
    private let call: Invocation

    init(_ call: Invocation) { self.call = call }

    /// New venues that people are shown: a network with more is an attack.
    private static let shown = 32

    /// What an announcement is to the user.
    enum Standing: String {
        /// The list has it.
        case known
        /// The list has nothing of that name.
        case new
        /// The list has another key under its name.
        case keyChanged = "key-changed"
    }

    /// One venue that was announced.
    struct Row {
        let link: VenueLink
        let standing: Standing
        /// What the list has under that name.
        let listed: KnownVenue?
        /// How many others that are announced have its name and another key.
        let rivals: Int

        /// The link, for a shell.
        var line: String {
            switch standing {
            case .new:
                "seatagent venue add " + ShellWord.quoted(SeatLink.venue(link).text)
            case .known: "seatagent venue open " + ShellWord.quoted(link.slug)
            case .keyChanged: "seatagent venue show " + ShellWord.quoted(link.slug)
            }
        }

        var name: String { standing == .known ? listed?.signed?.venue.name ?? "" : "" }

        var words: String {
            switch standing {
            case .known: "in your list"
            case .new where rivals > 0: "new; another one has this name: compare the tag"
            case .new: "new"
            case .keyChanged:
                "key-changed: your list has it as \(listed?.runBy.tag ?? ""); ask at the venue"
            }
        }

        var json: JSON {
            .object(present: [
                "slug": .string(link.slug), "name": name.isEmpty ? nil : .string(name),
                "operator": .string(link.runBy.text), "tag": .string(link.runBy.tag),
                "volume": .string(link.kind.rawValue),
                "link": .string(SeatLink.venue(link).text), "state": .string(standing.rawValue),
                "try": .string(line),
            ])
        }
    }

    func find() throws(UserError) -> ExitCode {
        let list = try KnownVenues.read(call.place)
        let here = try look()
        let links = here.venues.compactMap(\.link)
        let rows = Self.rows(links, list)
        guard !rows.isEmpty else {
            let others =
                here.unread == 0
                ? "" : "; \(Self.announcements(here.unread)) could not be read"
            throw UserError(
                .nothingFound, "no venue announces itself here within 3 s",
                why: "no operator does, or this network keeps its clients apart\(others)",
                advice: "seatagent doctor")
        }
        let shown = Self.shown(rows)
        let code = call.finish(
            ["venues": .array(rows.map(\.json)), "unread": .int(here.unread)], Self.lines(shown))
        if rows.count > shown.count {
            call.hint(
                "\(rows.count - shown.count) more are announced: seatagent venue find --json")
        }
        if here.unread > 0 { call.hint("\(Self.announcements(here.unread)) could not be read.") }
        return code
    }

    private func look() throws(UserError) -> VenuesHere {
        var errand = Errand(.venues, call.place)
        let setting = call.config.value(.interface)
        errand.interface = call.line.value("interface") ?? (setting.isEmpty ? nil : setting)
        call.hint("Looking around for three seconds.")
        let answer = try errand.ask()
        do throws(JSONFault) {
            return try VenuesHere(told: answer)
        } catch {
            throw .unreadable(error.sentence)
        }
    }

    private static func announcements(_ count: Int) -> String {
        count == 1 ? "1 announcement" : "\(count) announcements"
    }

    /// Those of the list first, then those that have a name of the list, each part by name and key.
    static func rows(_ links: [VenueLink], _ list: KnownVenues) -> [Row] {
        var keys: [String: Set<OperatorKey>] = [:]
        for link in links { keys[link.slug, default: []].insert(link.runBy) }
        let rows = links.map { link in
            let listed = list.find(link.slug)
            let standing: Standing =
                listed.map { $0.runBy == link.runBy ? .known : .keyChanged } ?? .new
            return Row(
                link: link, standing: standing, listed: listed,
                rivals: (keys[link.slug]?.count ?? 1) - 1)
        }
        return [.known, .keyChanged, .new].flatMap { standing in
            rows.filter { $0.standing == standing }
        }
    }

    /// What people are shown: of a name of the list one false one, so that a thousand of them hide
    /// nothing else.
    static func shown(_ rows: [Row]) -> [Row] {
        var warned: Set<String> = []
        let known = rows.filter { row in
            row.standing == .known
                || row.standing == .keyChanged && warned.insert(row.link.slug).inserted
        }
        return known + rows.filter { $0.standing == .new }.prefix(shown)
    }

    static func lines(_ rows: [Row]) -> [String] {
        let slugs = rows.map { cellWidth($0.link.slug) }.max() ?? 0
        let names = rows.map { cellWidth($0.name) }.max() ?? 0
        return rows.flatMap { row in
            [
                padded(row.link.slug, to: slugs + 2)
                    + (names == 0 ? "" : padded(row.name, to: names + 2))
                    + padded(row.link.runBy.tag, to: 17)
                    + padded(row.link.kind.rawValue, to: 9) + row.words,
                "  try: " + row.line,
            ]
        }
    }
}
