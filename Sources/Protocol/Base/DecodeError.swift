// SPDX-License-Identifier: Apache-2.0
/// Why bytes were refused, and where. Equal when the codes are equal.
public struct DecodeError: Error, Hashable, Sendable {
    /// The reasons for which bytes are refused.
    public enum Code: String, Sendable {
        /// Fewer bytes than announced.
        case truncated
        /// Bytes after the end.
        case leftover
        /// A number not in its shortest form.
        case notShortest
        /// An item of the wrong type.
        case wrongType
        /// A form that this protocol forbids: float, tag, indefinite length, unknown simple value.
        case forbiddenForm
        /// Map keys out of order or twice.
        case keyOrder
        /// A number, count or length over its limit.
        case tooLarge
        /// A number or a count under its limit.
        case tooSmall
        /// More items in all than allowed.
        case tooManyItems
        /// Text that is not UTF-8.
        case badText
        /// A value with a meaning that does not exist.
        case badValue
        /// Elements that must be sorted and unique are not.
        case notSorted
    }

    /// The reason.
    public let code: Code
    /// Offset in bytes where the reader stood.
    public let offset: Int

    /// A refusal for `code` at `offset`.
    public init(_ code: Code, at offset: Int = 0) {
        self.code = code
        self.offset = offset
    }

    /// Errors of the same kind are equal, wherever they stood.
    public static func == (left: DecodeError, right: DecodeError) -> Bool {
        left.code == right.code
    }

    /// Hashes what `==` compares, or a part of it.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
