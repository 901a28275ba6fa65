// SPDX-License-Identifier: Apache-2.0
import CZip

/// The libraries that the reader of passes is linked with, and their versions at run time.
package enum PassLibraries {
    /// One text each; also says if there is no reader of pictures.
    package static var versions: [String] {
        ["libzip " + String(cString: zip_libzip_version()), PassPicture.version]
    }
}
