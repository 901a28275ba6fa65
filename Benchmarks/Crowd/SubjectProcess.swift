// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The crowd's end: this very program once more, as the agent under test, in a process of its own.
struct SubjectProcess {
    private let pipe: Pipe
    private let process: pid_t

    /// Starts it; `nil` when the machine refuses.
    init?(_ path: String) {
        var down: [Int32] = [0, 0]
        var up: [Int32] = [0, 0]
        guard Glibc.pipe(&down) == 0, Glibc.pipe(&up) == 0 else { return nil }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, down[0], STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, up[1], STDOUT_FILENO)
        for descriptor in down + up { posix_spawn_file_actions_addclose(&actions, descriptor) }
        var words = [strdup("crowd"), strdup("subject"), nil]
        defer { for word in words { free(word) } }
        var process = pid_t()
        guard posix_spawn(&process, path, &actions, nil, &words, environ) == 0 else { return nil }
        close(down[0])
        close(up[1])
        self.process = process
        pipe = Pipe(input: up[0], output: down[1])
    }

    /// Gives one order; `nil` when the process died.
    func turn(_ order: Order, at time: Int) -> Turn? {
        guard pipe.send(order.parcel(at: time)), var parcel = pipe.receive() else { return nil }
        return Turn(&parcel)
    }

    /// Weighs it; `nil` when the process died.
    func weigh(at time: Int) -> Scale? {
        guard pipe.send(Order.weigh.parcel(at: time)), var parcel = pipe.receive(),
            pipe.receive() != nil
        else { return nil }
        return Scale(&parcel)
    }

    /// Lets it end.
    func finish() {
        close(pipe.output)
        close(pipe.input)
        var status: Int32 = 0
        waitpid(process, &status, 0)
    }
}
