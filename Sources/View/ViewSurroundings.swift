// SPDX-License-Identifier: Apache-2.0
package import Profile

/// The surroundings of a view: whose it is, and their settings.
package struct ViewSurroundings {
    /// The profile whose agent it shows.
    package let place: ProfilePlace
    /// The user's settings.
    package let config: Config
    /// The program's environment variables.
    package let environment: [String: String]

    /// The profile, its settings and the variables of the environment.
    package init(place: ProfilePlace, config: Config, environment: [String: String]) {
        self.place = place
        self.config = config
        self.environment = environment
    }
}
