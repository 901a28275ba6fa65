import Glibc

@main
struct Main {
    static func main() {
        // A reader that has gone is an error of the write, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        let session = CommandSession(
            console: Console(), environment: CommandSession.processEnvironment())
        exit(session.run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }
}
