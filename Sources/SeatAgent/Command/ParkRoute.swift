// SPDX-License-Identifier: Apache-2.0
import Glibc
import Grammar
import Parking
import Places
import Protocol
import QR
import System
import Text
import Venues

/// `seatagent park route`: the way to a car, as links, as a code for a phone, and in words.
struct ParkRoute {
    private let call: Invocation

    init(_ call: Invocation) { self.call = call }

    func run(_ number: Int) throws(UserError) -> ExitCode {
        let book = try ParkingBook.read(call.place)
        let record = try book.find(number)
        guard let at = record.at else {
            throw UserError(
                .nothingFound, "record \(number) has no position",
                why: "the route ends at one",
                advice: "seatagent park change \(number) --at 45.5017,-73.5673")
        }
        let (from, here, remarks) = try start(book)
        if call.line.has("open") { try open(at.mapLink, number) }
        let picture = call.json || call.line.has("no-qr") ? nil : QRCode(at.link)
        let street = record.street.map { ", \($0)" } ?? ""
        var lines = ["\(record.plate) at \(record.building)\(street)"]
        if let from { lines.append("  way    \(from.way(to: at))") }
        lines += ["  phone  \(at.link)", "  map    \(at.mapLink)"]
        lines += picture?.lines(ascii: call.ascii) ?? []
        let code = call.finish(
            .object(present: [
                "number": .int(number), "geo": .string(at.link), "map": .string(at.mapLink),
                "metres": from.map { .double($0.distance(to: at).rounded()) },
                "degrees": from.map { .double($0.bearing(to: at).rounded()) },
                "opened": call.line.has("open") ? true : nil, "here": here?.json,
            ]), lines)
        for remark in remarks { call.hint(remark) }
        return code
    }

    /// Where the way begins, if the driver says so.
    private func start(
        _ book: ParkingBook
    ) throws(UserError) -> (from: Venue.Point?, here: DevicePosition?, remarks: [String]) {
        if call.line.has("here") {
            guard !call.line.has("from") else {
                throw UserError(
                    .usage, "--here and --from say two positions",
                    why: "--here asks this computer for one", advice: ParkWord.route.sampleLine)
            }
            let found = try ParkWhere(call, book).here()
            // However rough it is: the remark says how far it may be off.
            return (found.here?.at, found.here, found.remarks)
        }
        guard let text = call.line.value("from") else { return (nil, nil, []) }
        do throws(FormFault) {
            return (try ParkingField.position(text), nil, [])
        } catch {
            throw ParkingForm.wrong(error, "--from", ParkWord.route.sampleLine)
        }
    }

    /// How long xdg-open has to say that nothing here shows a page.
    private static let patience = TimeSpan.seconds(2)

    /// Lets the desktop show a page. OpenStreetMap then learns the position.
    private func open(_ link: String, _ number: Int) throws(UserError) {
        func failed(_ why: String) -> UserError {
            UserError(
                .failed, "no map was opened", why: why,
                advice: "seatagent park route \(number)")
        }
        let path = call.session.environment["PATH", default: ""]
        guard let program = ProgramOutput.find("xdg-open", path: path) else {
            throw failed("the program xdg-open is not installed")
        }
        var child = ChildProcess(
            path: program, arguments: [program, link], input: .nowhere, output: .nowhere,
            errors: .nowhere)
        // A browser may stay for hours, and Ctrl-C is not meant for it.
        child.group = .own
        guard let started = try? child.start() else { throw failed("xdg-open does not start") }
        let end = SystemClock.now() + Self.patience
        var status: Int32 = 0
        while SystemClock.now() < end {
            if waitpid(started, &status, WNOHANG) == started {
                if status != 0 { throw failed("xdg-open found nothing that shows a page") }
                return
            }
            usleep(20_000)
        }
    }
}
