// SPDX-License-Identifier: Apache-2.0
import Protocol
#if DEBUG
    import Glibc
    import Protocol

    /// Kills the process at a chosen durable step, or lists the steps. Tests use it to prove that
    /// `kill -9` loses nothing.
    ///
    /// Debug builds only. `SEATAGENT_STEPS=FILE` appends a line for each step;
    /// `SEATAGENT_DIE=before:N` or `after:N` kills the process before or after the N-th step is
    /// committed.
    struct StepHook {
        private let file = getenv("SEATAGENT_STEPS").map { String(cString: $0) }
        private let fatal = getenv("SEATAGENT_DIE").map { String(cString: $0) }
        private var count = 0

        /// Before COMMIT of `writes`; counts those that belong to a swap, or to the work of a desk.
        mutating func before(_ writes: [Write], me: PeerKey) -> Bool {
            let words = writes.compactMap { Self.step($0, me: me) }
            guard !words.isEmpty else { return false }
            count += 1
            if let file, let handle = fopen(file, "a") {
                fputs("\(count) \(words.joined(separator: "+"))\n", handle)
                fclose(handle)
            }
            die("before")
            return true
        }

        /// After COMMIT of a step.
        func after() { die("after") }

        private func die(_ when: String) {
            if fatal == "\(when):\(count)" { raise(SIGKILL) }
        }

        /// A step that is no write of the core has a name in place of a number.
        static func die(_ step: String) {
            if let fatal = getenv("SEATAGENT_DIE"), step == String(cString: fatal) {
                raise(SIGKILL)
            }
        }

        private static func step(_ write: Write, me: PeerKey) -> String? {
            switch write {
            case .entry(let entry, _) where entry.author == me:
                switch entry.body {
                case .vote(let vote): vote.yes ? "vote-yes" : "vote-no"
                case .commit: "commit"
                case .abandon: "abandon"
                case .retract: "retract"
                case .ledger(let said): step(said)
                case .genesis, .profile, .claim, .chat, .wish, .sealed, .seated, .hosting, .unknown,
                    .vouch,
                    .end:
                    nil
                }
            case .statement(_, let said) where said.author == me && said.answer != nil: "answer"
            case .form(let record) where record.key.peer != me: "form"
            case .lock: "lock"
            case .unlock: "unlock"
            case .swap(let record): "swap-\(record.stage)"
            case .entry, .forkProof, .forgotten, .message, .block, .verified, .unverified, .layout,
                .wish, .party, .stay, .statement, .forgetStatement, .form, .forgetForm:
                nil
            }
        }

        private static func step(_ said: LedgerEntry) -> String {
            switch said {
            case .charter: "charter"
            case .grant: "grant"
            case .close: "close"
            case .note: "note"
            }
        }
    }
#endif
