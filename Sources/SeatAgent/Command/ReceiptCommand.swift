import Glibc
import Protocol

/// `seatagent receipt`: the signed swap for the crew, and the check of one.
enum ReceiptCommand {
    static func run(_ call: Invocation) throws(UserError) -> ExitCode {
        let operand = call.operands.first
        if let operand, Int(operand) == nil { return try checkFile(operand, call) }
        let number = try call.numberOperand(0)
        let receipt = try call.ask("receipt", number.map { ["request": .int($0)] } ?? [:])
        guard call.line.has("verify") else {
            if receipt["final"] == false { call.hint("Agreed, confirming: do not move yet.") }
            return call.finish(receipt, ReceiptText.lines(receipt))
        }
        let certificates = (receipt["certificates"]?.list ?? []).compactMap(\.text)
            .compactMap(Base64.decode)
        let flight = receipt["flight"]?.text.flatMap { FlightName($0) }
        return try check(certificates, flight: flight, call)
    }

    /// Needs neither an agent nor a network.
    private static func checkFile(_ path: String, _ call: Invocation) throws(UserError) -> ExitCode
    {
        guard call.line.has("verify") else {
            throw UserError(
                .usage, "\"\(path)\" is not the number of a receipt",
                why: "a file can only be checked",
                advice: "seatagent receipt --verify receipt.txt")
        }
        let text: String
        if path == "-" {
            text = call.session.console.readAll()
        } else {
            guard let bytes = try PrivateFile.read(path) else {
                throw UserError(.file, "\(path) is not there", advice: "seatagent receipt")
            }
            text = String(decoding: bytes, as: UTF8.self)
        }
        let parsed = try ReceiptText.parse(text)
        return try check(parsed.certificates, flight: parsed.flight, call)
    }

    private static func check(
        _ certificates: [[UInt8]], flight: FlightName?, _ call: Invocation
    ) throws(UserError) -> ExitCode {
        guard let primitives = SodiumPrimitives() else {
            throw UserError(.failed, "this machine gives no random numbers")
        }
        let check = try CertificateCheck(certificates, primitives: primitives)
        if let flight, let key = FlightKey(flight, primitives: primitives), key.id != check.flight {
            throw UserError(
                .badCertificate, "the receipt names another flight than its certificate",
                why: "\(flight.text) was signed by nobody here")
        }
        let moves = check.moves.map { move -> JSON in
            [
                "seat": .string(move.seat.text),
                "from": ["key": .string(move.from.hex), "tag": .string(move.from.tag)],
                "to": ["key": .string(move.to.hex), "tag": .string(move.to.tag)],
            ]
        }
        let result: JSON = .object(present: [
            "valid": true, "contract": .string(check.contract.hex),
            "flight": flight.map { .string($0.text) }, "flight_id": .string(check.flight.hex),
            "seats": .array(moves), "parties": .array(check.parties.map { .string($0.hex) }),
            "signatures": .int(check.signatures), "earlier_swaps": .int(check.earlier),
        ])
        return call.finish(result, lines(check, flight))
    }

    private static func lines(_ check: CertificateCheck, _ flight: FlightName?) -> [String] {
        let who = check.parties.count == 2 ? "both" : "all \(check.parties.count)"
        var lines = [
            "Valid: \(who) passengers signed this swap; \(check.signatures) signatures are right."
        ]
        if let flight { lines.append("Flight    \(flight.text)") }
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
