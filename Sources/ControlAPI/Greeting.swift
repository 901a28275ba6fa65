// SPDX-License-Identifier: Apache-2.0
package import Text

/// The first line that every client gets.
package struct Greeting: Codable, Hashable, Sendable {
    /// `hello`: no client can watch it.
    package var event: String
    /// Version of the objects of the socket.
    package var version: Int
    /// Version of the program.
    package var agent: String
    /// The commit that it was built from.
    @OrNull package var commit: String?
    /// Name of the profile.
    package var profile: String
    /// Process number.
    package var pid: Int

    /// The name of the line.
    package static let name = "hello"

    /// A greeting.
    package init(version: Int, agent: String, commit: String?, profile: String, pid: Int) {
        event = Self.name
        self.version = version
        self.agent = agent
        self.commit = commit
        self.profile = profile
        self.pid = pid
    }
}
