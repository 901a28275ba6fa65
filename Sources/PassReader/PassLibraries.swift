// SPDX-License-Identifier: Apache-2.0
import CZip

/// The libraries that the reader of passes is linked with, in the versions that run here.
package enum PassLibraries {
    /// One text each; of pictures also if no reader is in.
    package static var versions: [String] {
        ["libzip " + String(cString: zip_libzip_version()), PassPicture.version]
    }
}
