// SPDX-License-Identifier: Apache-2.0
/// What happened, why, and what to do about it: everything that people and scripts are told when
/// something fails.
package struct UserError: Error, Hashable, Sendable {
    /// The name scripts go by.
    package var code: ErrorCode
    /// What happened; begins in lower case, no full stop.
    package var what: String
    /// Why, if it is known.
    package var why: String?
    /// A command that works as printed, if there is one. Never contains another passenger's words,
    /// and the user's only in quotes, because people paste it into a shell.
    package var advice: String?

    /// An error with that code, and what people are told of it.
    package init(_ code: ErrorCode, _ what: String, why: String? = nil, advice: String? = nil) {
        self.code = code
        self.what = what
        self.why = why
        self.advice = advice
    }

    /// Up to three lines, each safe for a terminal.
    package var lines: [String] {
        var out = ["seatagent: " + visible(what)]
        if let why { out.append("  why: " + visible(why)) }
        if let advice { out.append("  try: " + visible(advice)) }
        return out
    }

    /// The object that stands in `error`.
    package var json: JSON {
        .object(present: [
            "code": .string(code.rawValue), "what": .string(what), "why": why.map(JSON.string),
            "try": advice.map(JSON.string),
        ])
    }

    /// Reads the object; an unknown code, of a newer agent, is `failed`.
    package init(json: JSON) {
        code = json["code"]?.text.flatMap(ErrorCode.init(rawValue:)) ?? .failed
        what = json["what"]?.text ?? "the agent gave no reason"
        why = json["why"]?.text
        advice = json["try"]?.text
    }
}
