// SPDX-License-Identifier: Apache-2.0
package import Profile

/// What surrounds a view: whose it is, and what they have set.
package struct ViewSurroundings {
    /// The profile whose agent it shows.
    package let place: ProfilePlace
    /// What the person has set.
    package let config: Config
    /// The environment that the program was started in.
    package let environment: [String: String]

    /// The profile, its settings and the variables of the environment.
    package init(place: ProfilePlace, config: Config, environment: [String: String]) {
        self.place = place
        self.config = config
        self.environment = environment
    }
}
