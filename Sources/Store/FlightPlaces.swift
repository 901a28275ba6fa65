// SPDX-License-Identifier: Apache-2.0
package import Profile
import Protocol

/// Where a profile keeps its flights' files, and what is noted beside them.
extension FlightFiles {
    /// The flight files of the profile at `place`.
    package init(place: ProfilePlace) {
        self.init(data: place.dataDirectory, state: place.stateDirectory)
    }
}

extension CopyMirror {
    /// The mirror of the file at `path`.
    package convenience init(of path: String, in place: ProfilePlace) {
        self.init(of: path, in: place.stateDirectory)
    }

    /// The path beside the profile's log, so that the mirror does not travel with the file.
    package static func path(of path: String, in place: ProfilePlace) -> String {
        Self.path(of: path, in: place.stateDirectory)
    }
}
