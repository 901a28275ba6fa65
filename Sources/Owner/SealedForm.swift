// SPDX-License-Identifier: Apache-2.0
package import Keys
package import Text

/// Bytes that a passphrase sealed, as a file holds them: one line of JSON, which also says what it
/// takes to make the key.
package struct SealedForm: Hashable, Sendable {
    /// What the key takes.
    package let cost: SealingCost
    /// What the key is made of, beside the passphrase.
    package let salt: [UInt8]
    let nonce: [UInt8]
    let box: [UInt8]

    /// Bytes of a file: more than the largest sealed file needs, and a limit in case it is
    /// something else.
    package static let fileLimit = 2 << 20
    private static let version = 1
    private static let derivation = "argon2id13"
    private static let keys = [
        "version", "derivation", "passes", "kibibytes", "salt", "nonce", "sealed",
    ]

    /// Seals the content of the file called `name` with `key`, which was made with that cost and
    /// salt. The name is sealed too, so that two files cannot change places unseen.
    package init?(
        _ content: [UInt8], name: String, key: SealingKey, cost: SealingCost, salt: [UInt8]
    ) {
        let nonce = SodiumPrimitives.random(SealingKey.nonceCount)
        guard let box = key.seal(Self.label(name) + content, nonce: nonce) else { return nil }
        self.cost = cost
        self.salt = salt
        self.nonce = nonce
        self.box = box
    }

    /// The content of the file called `name`; `nil` for another key, another name, or if anything
    /// was changed.
    package func open(_ key: SealingKey, name: String) -> [UInt8]? {
        guard let whole = key.open(box, nonce: nonce), whole.starts(with: Self.label(name)) else {
            return nil
        }
        return Array(whole.dropFirst(Self.label(name).count))
    }

    private static func label(_ name: String) -> [UInt8] { Array(name.utf8) + [0] }

    /// What the file holds.
    package var bytes: [UInt8] {
        let json: JSON = [
            "version": .int(Self.version), "derivation": .string(Self.derivation),
            "passes": .int(cost.passes), "kibibytes": .int(cost.memory),
            "salt": .string(Base64.encode(salt)), "nonce": .string(Base64.encode(nonce)),
            "sealed": .string(Base64.encode(box)),
        ]
        return Array((json.line + "\n").utf8)
    }

    /// Reads a file. Throws for the first fault; what the key would take is bounded.
    package init(_ bytes: [UInt8]) throws(FormFault) {
        let json = try FormReader.json(bytes, limit: Self.fileLimit, whole: "the file")
        let form = try FormReader(json, Self.keys, whole: "the file")
        guard form["version"] == .int(Self.version) else {
            throw form.fault("version", "this program reads version \(Self.version)")
        }
        guard form["derivation"] == .string(Self.derivation) else {
            throw form.fault("derivation", "this program knows \(Self.derivation)")
        }
        let passes = try form.number("passes", SealingCost.passesAllowed)
        let memory = try form.number("kibibytes", SealingCost.memoryAllowed)
        guard let cost = SealingCost(passes: passes, kibibytes: memory) else {
            throw form.fault("passes", "it takes too much")
        }
        self.cost = cost
        salt = try Self.base64(form, "salt", count: SealingKey.saltCount)
        nonce = try Self.base64(form, "nonce", count: SealingKey.nonceCount)
        box = try Self.base64(form, "sealed", count: nil)
    }

    private static func base64(
        _ form: FormReader, _ key: String, count: Int?
    ) throws(FormFault) -> [UInt8] {
        guard let bytes = (try form.needed(key)).text.flatMap(Base64.decode),
            count == nil || count == bytes.count
        else { throw form.fault(key, "this is not Base64 of the right length") }
        return bytes
    }
}
