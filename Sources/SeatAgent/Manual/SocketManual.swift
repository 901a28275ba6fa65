// SPDX-License-Identifier: Apache-2.0
/// `seatagent-api(7)`, made from `docs/control.md`, which a test compares with the tables of
/// operations, events and error codes.
///
/// Reads only the Markdown of that file: headings, paragraphs, code, tables, comments.
struct SocketManual {
    private var page: Mdoc
    private var paragraph: [String] = []
    private var code: [String] = []
    private var rows: [[String]] = []
    private var isFenced = false

    /// The page, dated `November 21, 2026`.
    static func page(_ markdown: String, date: String) -> Mdoc {
        var manual = SocketManual(date: date)
        for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
            manual.add(String(line))
        }
        manual.flush()
        manual.page.section("See also")
        manual.page.raw(".Xr seatagent 1")
        return manual.page
    }

    private init(date: String) {
        page = Mdoc(
            "seatagent-api", section: 7, about: "the control socket of a seatagent", date: date)
    }

    private mutating func add(_ line: String) {
        if line.hasPrefix("```") {
            flush()
            isFenced.toggle()
        } else if isFenced {
            code.append(line)
        } else if line.hasPrefix("    ") {
            if code.isEmpty { flush() }
            code.append(String(line.dropFirst(4)))
        } else if line.hasPrefix("|") {
            if rows.isEmpty { flush() }
            rows.append(Self.cells(line))
        } else if line.hasPrefix("#") {
            flush()
            heading(line)
        } else if line.isEmpty || line.hasPrefix("<!--") {
            flush()
        } else {
            if paragraph.isEmpty { flush() }
            paragraph.append(line)
        }
    }

    private mutating func heading(_ line: String) {
        let depth = line.prefix { $0 == "#" }.count
        let title = String(line.dropFirst(depth + 1))
        switch depth {
        case 1: page.section("Description")
        // ERRORS is the name of a section about system calls.
        case 2: page.section(title == "Errors" ? "Error codes" : title)
        default: page.subsection(title)
        }
    }

    /// Writes what has been collected.
    private mutating func flush() {
        if !paragraph.isEmpty { page.paragraph(paragraph.joined(separator: " ")) }
        page.literal(code)
        // The first two rows are the headings and a rule.
        page.list(
            rows.dropFirst(2).map { cells in
                let middle = cells.dropFirst().dropLast().map { " (\($0))" }.joined()
                return (tag: Self.tag(cells[0], middle), text: cells.last ?? "")
            })
        (paragraph, code, rows) = ([], [], [])
    }

    private static func tag(_ name: String, _ more: String) -> String {
        "\"\\&" + Mdoc.inline(name + more).split(separator: "\"").joined(separator: "\\(dq") + "\""
    }

    private static func cells(_ line: String) -> [String] {
        line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
            .map { cell in
                String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            }
    }
}
