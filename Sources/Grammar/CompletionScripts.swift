// SPDX-License-Identifier: Apache-2.0
/// The scripts with which shells complete words; each of them asks the program.
package enum CompletionScripts {
    /// Shells with a script.
    package static let shells = ["bash", "zsh", "fish"]

    /// The script for `shell`; `nil` for an unknown one.
    package static func script(_ shell: String) -> String? {
        switch shell {
        case "bash": bash
        case "zsh": zsh
        case "fish": fish
        default: nil
        }
    }

    // The words are quoted one by one, because `compgen -W` would execute what is in them.
    private static let bash = #"""
        # shellcheck shell=bash
        # bash completion for seatagent: the program knows the words, see `seatagent completion`.
        _seatagent() {
            local line word
            COMPREPLY=()
            while IFS= read -r line; do
                if [[ $line == :files ]]; then
                    compopt -o default 2>/dev/null
                    continue
                fi
                printf -v word %q "${line%%$'\t'*}"
                COMPREPLY+=("$word")
            done < <("$1" __complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
        }
        complete -F _seatagent seatagent
        """#

    private static let zsh = #"""
        #compdef seatagent
        # zsh completion for seatagent: the program knows the words, see `seatagent completion`.
        _seatagent() {
            local -a lines
            lines=("${(@f)$("${(Q)words[1]}" __complete -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
            [[ -n $lines[1] ]] || return 1
            if [[ $lines[1] == :files ]]; then
                _files
                return
            fi
            lines=("${(@)lines//:/\\:}")
            lines=("${(@)lines/$'\t'/:}")
            _describe seatagent lines
        }
        if [[ $funcstack[1] == _seatagent ]]; then
            _seatagent "$@"
        else
            compdef _seatagent seatagent
        fi
        """#

    private static let fish = #"""
        # fish completion for seatagent: the program knows the words, see `seatagent completion`.
        function __seatagent_complete
            set -l words (commandline -opc)
            set -l last "$(commandline -ct)"
            set -l lines ($words[1] __complete -- $words[2..-1] $last 2>/dev/null)
            if test "$lines[1]" = :files
                __fish_complete_path $last
            else if set -q lines[1]
                printf '%s\n' $lines
            end
        end
        complete -c seatagent -f -a '(__seatagent_complete)'
        """#
}
