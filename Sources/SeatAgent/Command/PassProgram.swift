// SPDX-License-Identifier: Apache-2.0
import Boarding
import CLinux
import ControlAPI
import Glibc
import Text

/// `seatagent __pass`.
enum PassProgram {
    /// What the process itself does: a file on standard input, one line of JSON on standard output.
    static func run(_ call: Invocation) throws(UserError) -> ExitCode {
        let reference = try BoardCommand.reference(call)
        // A pipe has no size.
        let size = Int(lseek(0, 0, SEEK_END))
        _ = lseek(0, 0, SEEK_SET)
        // While the file is still outside.
        guard linux_limit(PassWorker.memory, PassWorker.processorTime) == 0 else {
            throw UserError(.failed, "the reader of passes cannot be limited")
        }
        guard linux_seal() == 0 else { throw PassWorker.unsealed }
        var file = call.session.console.readBytes(
            limit: min(size < 0 ? PassWorker.fileLimit : size, PassWorker.fileLimit) + 1)
        guard file.count <= PassWorker.fileLimit else { throw PassWorker.tooLarge }
        let reading = try PassReading.read(&file, on: reference)
        call.session.console.out(ControlReply.done(reading.json).line)
        return .done
    }
}
