// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Glibc
import Keys
import Launch
import Protocol
import System
import Text
import Wording

/// `seatagent receipt`: prints the signed swap for the crew, or checks one.
enum ReceiptCommand {
    static func run(_ call: Invocation) throws(UserError) -> ExitCode {
        let operand = call.operands.first
        if let operand, Int(operand) == nil { return try checkFile(operand, call) }
        let number = try call.numberOperand(0)
        let receipt = try call.ask(Op.Receipt(request: number))
        let certificates = receipt.certificates.compactMap(Base64.decode)
        guard let flight = FlightName(receipt.flight) else {
            throw UserError(
                .unreachable, "the agent's receipt cannot be read", why: "it names no flight",
                advice: "seatagent restart")
        }
        let text = ReceiptText(
            flight: flight, isGated: receipt.gated, certificates: certificates)
        let check = try CertificateCheck(certificates, primitives: try primitives())
        // The own agent knows the flight with its code.
        guard receipt.flightId.map({ $0 == check.flight.hex }) ?? true else {
            throw otherFlight(text)
        }
        guard call.line.has("verify") else {
            let isFull = call.line.has("full")
            if receipt.final == false { call.hint("Agreed, confirming: do not move yet.") }
            if isFull {
                for line in names(receipt.reply) { call.hint(line) }
            }
            if !receipt.agreed.text.isEmpty {
                call.hint(
                    "Agreed \(visible(receipt.agreed.text)) by this computer's clock; "
                        + "nobody signed that, nor the names."
                )
            }
            if isFull { return call.finish(receipt, text.lines(check)) }
            call.hint(
                "All signatures, for whoever doubts: seatagent receipt \(receipt.number) --full")
            let code = call.finish(receipt, summary(receipt.reply, text))
            if receipt.missing?.contains(where: \.me) == true {
                call.hint("Once you sit in your new seat: seatagent seated \(receipt.number)")
            }
            return code
        }
        return report(check, text, call)
    }

    /// Who has which seat now, and in which order they move; the signatures are in the full text.
    private static func summary(_ receipt: SwapReceipt, _ text: ReceiptText) -> [String] {
        let plan =
            receipt.final == false
            ? [] : MovingText.lines(receipt.plan ?? [], seated: receipt.seated ?? [])
        let marks = SeatedText.lines(receipt)
        return text.head + names(receipt) + (plan.isEmpty ? [] : [""] + plan)
            + (marks.isEmpty ? [] : [""] + marks)
    }

    private static func names(_ receipt: SwapReceipt) -> [String] {
        receipt.names.map { visible($0, cells: 100) + "." }
    }

    /// Checks a file; needs neither an agent nor a network.
    private static func checkFile(_ path: String, _ call: Invocation) throws(UserError) -> ExitCode
    {
        guard call.line.has("verify") else {
            throw UserError(
                .usage, "\"\(path)\" is not the number of a receipt",
                why: "a file can only be checked",
                advice: "seatagent receipt --verify receipt.txt")
        }
        let code = try call.line.value("code").map { (text) throws(UserError) in
            try CabinCode.check(text, advice: "seatagent help receipt")
        }
        let bytes: [UInt8]
        if path == "-" {
            bytes = try call.session.console.readBytes(upTo: limit)
        } else {
            guard let file = try PrivateFile.read(path, limit: limit) else {
                throw UserError(.file, "\(path) is not there", advice: "seatagent receipt")
            }
            bytes = file
        }
        let primitives = try primitives()
        let text = try ReceiptText(bytes)
        let check = try CertificateCheck(text.certificates, primitives: primitives)
        try text.confirm(bytes, check)
        try confirmFlight(text, check, code: code, primitives)
        return report(check, text, call)
    }

    /// The largest receipt in bytes: 256 swaps, as many as an agent keeps, of 12 KiB each in
    /// Base64.
    private static let limit = 4 * 1024 * 1024

    private static func primitives() throws(UserError) -> SodiumPrimitives {
        guard let primitives = SodiumPrimitives() else {
            throw UserError(.failed, "this machine gives no random numbers")
        }
        return primitives
    }

    /// Checks that the named flight has the flight id that everybody signed. Throws
    /// `bad-certificate`, and `usage` if a cabin code is needed.
    static func confirmFlight(
        _ text: ReceiptText, _ check: CertificateCheck, code: String?, _ primitives: any Primitives
    ) throws(UserError) {
        if text.isGated, code == nil {
            throw UserError(
                .usage, "the receipt cannot be checked without the cabin code of its flight",
                why: "\(text.flight.text) has one, and the signatures cover it: --code CODE",
                advice: "seatagent help receipt")
        }
        let used = text.isGated ? code : nil
        guard let key = FlightKey(text.flight, code: used, primitives: primitives) else {
            throw UserError(
                .failed, "the receipt cannot be checked",
                why: "64 MiB of memory for the flight's key are missing")
        }
        guard key.id == check.flight else {
            let isOlder = key.olderVersion(of: check.flight, primitives: primitives) != nil
            throw isOlder ? older : otherFlight(text)
        }
    }

    /// The entries of such a receipt name the flight by its former id.
    private static let older = UserError(
        .badCertificate, "the receipt is of seatagent 0.1",
        why: "flights have had other rules since, so it proves nothing about a flight of today",
        advice: "seatagent receipt")

    private static func otherFlight(_ text: ReceiptText) -> UserError {
        UserError(
            .badCertificate, "the receipt names another flight than its certificate",
            why: text.isGated
                ? "nobody here signed for \(text.flight.text) with this cabin code"
                : "nobody here signed for \(text.flight.text)")
    }

    private static func report(
        _ check: CertificateCheck, _ text: ReceiptText, _ call: Invocation
    ) -> ExitCode {
        let moves = check.moves.map { move -> JSON in
            [
                "seat": .string(move.seat.text),
                "from": ["key": .string(move.from.hex), "tag": .string(move.from.tag)],
                "to": ["key": .string(move.to.hex), "tag": .string(move.to.tag)],
            ]
        }
        let result: JSON = [
            "valid": true, "contract": .string(check.contract.hex),
            "flight": .string(text.flight.text), "gated": .bool(text.isGated),
            "flight_id": .string(check.flight.hex),
            "seats": .array(moves), "parties": .array(check.parties.map { .string($0.hex) }),
            "signatures": .int(check.signatures), "earlier_swaps": .int(check.earlier),
        ]
        return call.finish(result, lines(check, text.flight))
    }

    private static func lines(_ check: CertificateCheck, _ flight: FlightName) -> [String] {
        let who = check.parties.count == 2 ? "both" : "all \(check.parties.count)"
        var lines = [
            "Valid: \(who) passengers signed this swap; \(check.signatures) signatures are right.",
            "Flight    \(flight.text)",
        ]
        for move in check.moves {
            lines.append(
                padded(move.seat.text, to: 10) + "from #\(move.from.tag) to #\(move.to.tag)")
        }
        if check.earlier > 0 {
            lines.append(
                "Earlier   \(check.earlier) swap\(check.earlier == 1 ? "" : "s") before it")
        }
        return lines
    }
}
