// SPDX-License-Identifier: Apache-2.0
import Aviation
package import Boarding
package import CivilTime
import Protocol
package import Text

extension PassReading {
    /// Reads a file of any kind, as seen on the day `reference`; overwrites `file`. Throws
    /// `bad-pass`.
    package static func read(_ file: inout [UInt8], on reference: FlightDate) throws(UserError)
        -> PassReading
    {
        defer { file.wipe() }
        switch PassFormat(file) {
        case .text: return PassReading(pass: try BoardingPass.read(&file, on: reference))
        case .picture: return PassReading(pass: try PassPicture.read(file, on: reference))
        case .wallet:
            var json = try PassArchive.passFile(in: file)
            defer { json.wipe() }
            return try read(try WalletPass(json), on: reference)
        case .other(let name): throw PassFormat.refusal(name)
        }
    }

    /// The first code of a wallet's pass that is a boarding pass.
    private static func read(_ wallet: WalletPass, on reference: FlightDate) throws(UserError)
        -> PassReading
    {
        var refusal: UserError?
        // The wallet knows the year.
        let day = wallet.day ?? reference
        for message in wallet.messages {
            var text = message
            do throws(UserError) {
                let pass = try BoardingPass.read(&text, on: day)
                return PassReading(pass: pass, departs: wallet.relevant)
            } catch {
                refusal = refusal ?? error
            }
        }
        throw refusal ?? WalletPass.refusal("it has no bar code")
    }
}
