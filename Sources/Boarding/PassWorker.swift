// SPDX-License-Identifier: Apache-2.0
import CLinux
package import CivilTime
import Glibc
package import Protocol
import System
package import Text

/// Reads a stranger's picture or archive in a separate process (`seatagent-pass`), which has little
/// memory and time and can open and send nothing. Every copy of the text ends with it.
package enum PassWorker {
    /// Bytes of memory: four times as much as the largest picture needs.
    package static let memory: UInt = 1 << 30
    /// Seconds of the processor.
    package static let processorTime: UInt = 30
    /// Seconds to wait for it; longer than the reader of pictures takes.
    package static let patience: Int64 = 40
    /// The largest file, in bytes: a large photograph with lossless compression.
    package static let fileLimit = 64 << 20
    /// The longest answer, in bytes; four flights take two thousand.
    private static let answerLimit = 16 * 1024

    /// The program that reads such files.
    package static let name = "seatagent-pass"

    private static let notInstalled = UserError(
        .failed, "pictures and wallets' files are not read here",
        why: "\(name) is not there: it is installed beside seatagent",
        advice: "seatagent board --parse -")

    /// The error if the kernel has no seccomp: limits alone promise nothing.
    package static let unsealed = UserError(
        .failed, "pictures and wallets' files are not read here",
        why: "this kernel has no filter of system calls (seccomp) for the process that reads them",
        advice: "seatagent board --parse -")

    /// The error if the program was built without ZXing.
    package static let noPictures = UserError(
        .failed, "this seatagent was built without the reader of pictures",
        why: "libzxing-dev and libstb-dev were not there; text and .pkpass files work without",
        advice: "sudo apt-get install libzxing-dev libstb-dev && make build")

    /// The error for a file that is larger than any pass.
    package static let tooLarge = UserError(
        .badPass, "this file is too large", why: "more than \(fileLimit >> 20) MB are not read",
        advice: "seatagent help board")

    /// Has such a process read the file that `descriptor` points to the beginning of. Throws what
    /// that process reported, or `bad-pass` if it reported nothing within `patience`.
    package static func read(
        _ descriptor: Int32, on reference: FlightDate, patience: TimeSpan = .seconds(patience)
    ) throws(UserError) -> PassReading {
        let purpose = PassPurpose.pass(on: reference)
        let said = try result(of: descriptor, for: purpose, patience: patience)
        guard let reading = PassReading(json: said) else {
            throw failed("its answer is not a pass", purpose)
        }
        return reading
    }

    /// Has such a process look in the picture that `descriptor` points to the beginning of for the
    /// link to a venue. Throws what that process reported, or `bad-venue` if it reported nothing.
    package static func readVenue(_ descriptor: Int32) throws(UserError) -> VenueLink {
        let json = try result(of: descriptor, for: .venue)
        guard let text = json["link"]?.text, case .venue(let link)? = try? SeatLink(text) else {
            throw failed("its answer is no link to a venue", .venue)
        }
        return link
    }

    /// What the process reported.
    private static func result(
        of descriptor: Int32, for purpose: PassPurpose, patience: TimeSpan = .seconds(patience)
    ) throws(UserError) -> JSON {
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else {
            throw failed(String(cString: strerror(errno)), purpose)
        }
        defer { close(ends[0]) }
        guard let program = ChildProcess.companion(name) else {
            close(ends[1])
            throw believed(notInstalled, purpose)
        }
        let child: pid_t
        do throws(SystemError) {
            defer { close(ends[1]) }
            child = try ChildProcess(
                path: program, arguments: [PassWorker.name] + purpose.arguments,
                input: .descriptor(descriptor), output: .descriptor(ends[1]), errors: .nowhere
            ).start()
        } catch {
            throw failed(error.description, purpose)
        }
        let answer = answer(from: ends[0], patience: patience)
        // The process may be under a stranger's control by now, and never end by itself.
        kill(child, SIGKILL)
        _ = ChildProcess.wait(for: child)
        guard let answer, let json = try? JSON(line: answer) else {
            throw failed(
                "it ended without a word: the file may have been made to harm it", purpose)
        }
        if let error = json["error"] { throw believed(UserError(json: error), purpose) }
        return json["result"] ?? .null
    }

    /// An error of that process, which may be under a stranger's control: its words are shown, but
    /// only commands that this program suggests itself.
    static func believed(_ error: UserError, _ purpose: PassPurpose) -> UserError {
        var known: [String?] = [purpose.advice, noPictures.advice]
        if case .pass = purpose { known.append(unsealed.advice) }
        var error = error
        if error.code != .failed { error.code = purpose.code }
        if !known.contains(error.advice) { error.advice = purpose.advice }
        return error
    }

    /// A line from a pipe, or what came before its end; `nil` if it takes longer than `patience` or
    /// is longer than any answer.
    package static func answer(
        from descriptor: Int32, patience: TimeSpan = .seconds(patience)
    ) -> [UInt8]? {
        let end = SystemClock.now() + patience
        var answer: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while answer.last != 10 {
            let left = (end - SystemClock.now()).nanoseconds / 1_000_000
            guard left > 0 else { return nil }
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&request, 1, Int32(left)) > 0 else { continue }
            let count = Glibc.read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            answer += piece[..<count]
            guard answer.count <= answerLimit else { return nil }
        }
        while answer.last == 10 { answer.removeLast() }
        return answer
    }

    private static func failed(_ why: String, _ purpose: PassPurpose) -> UserError {
        let what =
            switch purpose {
            case .pass: "the pass cannot be read"
            case .venue: "the picture cannot be read"
            }
        return UserError(
            purpose.code, what, why: "the process that reads it failed: \(why)",
            advice: purpose.advice)
    }
}
