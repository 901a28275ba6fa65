// SPDX-License-Identifier: Apache-2.0
/// The second words of commands with several jobs, in the order of their help.
package enum Subwords {
    /// Of `seatagent config`.
    package static let config = ["get", "set", "unset", "edit", "path"]
    /// Of `seatagent cabin`.
    package static let cabin = ["show", "use", "edit", "accept", "decline", "suggestions"]
    /// Of `seatagent flight`.
    package static let flight = ["add", "show", "change", "remove"]
}
