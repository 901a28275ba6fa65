// SPDX-License-Identifier: Apache-2.0
import Boarding
import CLinux
import CivilTime
import Glibc
import Protocol
import System
package import Text

/// `seatagent-pass`: a file on standard input, one line of JSON on standard output.
package enum PassProgram {
    /// `--on DATE` reads a pass as seen on that day, `--venue` a picture of a venue's sign,
    /// `--libraries` names what it is linked with.
    package static func run(_ arguments: [String]) -> ExitCode {
        if arguments == ["--libraries"] {
            let own = Version.line(of: PassWorker.name)
            for version in [own] + PassLibraries.versions { StandardStream.out(version) }
            return .done
        }
        guard let purpose = PassPurpose(arguments) else {
            let usage = UserError(
                .usage, "\(PassWorker.name) is started by seatagent",
                why: "it reads a boarding pass that seatagent hands to it",
                advice: "seatagent help board")
            for line in usage.lines { StandardStream.err(line) }
            return usage.code.exit
        }
        do throws(UserError) {
            StandardStream.out((["result": try read(for: purpose)] as JSON).line)
            return .done
        } catch {
            StandardStream.out((["error": error.json] as JSON).line)
            return error.code.exit
        }
    }

    /// Gives up every right that a file could misuse, then reads the file.
    private static func read(for purpose: PassPurpose) throws(UserError) -> JSON {
        // Of whoever started this nothing else stays open: a connection would be a way out.
        closefrom(3)
        // A pipe has no size.
        let size = Int(lseek(0, 0, SEEK_END))
        _ = lseek(0, 0, SEEK_SET)
        // While the file is still outside this process.
        guard linux_limit(PassWorker.memory, PassWorker.processorTime) == 0 else {
            throw UserError(.failed, "the reader of passes cannot be limited")
        }
        guard linux_seal() == 0 else { throw PassWorker.unsealed }
        let limit = min(size < 0 ? PassWorker.fileLimit : size, PassWorker.fileLimit) + 1
        var file = PrivateFile.readBytes(limit: limit, from: 0) ?? []
        guard file.count <= PassWorker.fileLimit else { throw PassWorker.tooLarge }
        switch purpose {
        case .pass(let day): return try PassReading.read(&file, on: day).json
        case .venue: return ["link": .string(try PassPicture.venue(file).text)]
        }
    }
}
