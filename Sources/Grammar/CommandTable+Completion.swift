// SPDX-License-Identifier: Apache-2.0
extension CommandTable {
    package static let shells: [Command] = [
        Command(
            .completion, summary: "print the completion script of a shell",
            operands: CompletionScripts.shells.joined(separator: "|"), count: 1...1,
            sample: "bash",
            details: [
                "Completes commands, options and their values and, while an agent runs, also",
                "seats, passengers and requests. `make install` and the Debian package install it.",
                "Otherwise:",
                "",
                "  bash  add  source <(seatagent completion bash)  to ~/.bashrc",
                "  zsh   seatagent completion zsh > ~/.zfunc/_seatagent, a folder on fpath",
                "  fish  seatagent completion fish > ~/.config/fish/completions/seatagent.fish",
            ],
            examples: ["seatagent completion bash", "seatagent completion fish > seatagent.fish"],
            needsNoConfig: true),
        Command(
            .completeWord, summary: "words for the line that is being typed",
            operands: "WORDS", count: 0...Int.max, isHidden: true, needsNoConfig: true),
        Command(
            .writeManual, summary: "the source of a man page",
            operands: "1|7|commands [COMMAND|FILE]",
            count: 1...2, sample: "1", isHidden: true, needsNoConfig: true),
    ]
}
