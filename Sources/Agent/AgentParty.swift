// SPDX-License-Identifier: Apache-2.0
import Profile
import Protocol
import System
import Text

/// The code of a party that was handed over before this agent ran.
extension Agent {
    /// Takes it along, if it is for this flight, and forgets the file once that is durable.
    func takeHomeParty() {
        do throws(UserError) {
            guard let home = try HomeParty.waiting(in: options.place),
                home.flight.map({ $0 == options.flight || options.aliases.contains($0) }) ?? true
            else { return }
            perform(.party(.join(home.secret, fromHome: true))) { [unowned self] _ in
                let isInIt = node.party(at: now)?.state.secrets.contains(home.secret) == true
                guard isInIt else {
                    let why = "you are in another party on this flight"
                    return Log.line("the code of a party waits on: \(why)")
                }
                // Whoever tries things out at home needs the code on their flight too.
                if options.flight.isPractice { return }
                do throws(UserError) {
                    try HomeParty.forget(in: options.place)
                } catch {
                    Log.line("the code of your party stays in its file: \(error.what)")
                }
            }
        } catch {
            Log.line("the code of your party cannot be taken along: \(error.what)")
        }
    }
}
