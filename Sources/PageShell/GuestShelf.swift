// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import Glibc
import Profile
import Protocol
import System
import Text

/// What is kept of guests: a folder for each, and in it whose page shows that agent. The folders
/// alone say who is a guest, so whoever deletes one has removed that guest.
struct GuestShelf {
    private let host: ProfilePlace

    init(_ host: ProfilePlace) { self.host = host }

    /// Where the host's own agent answers, if it runs.
    var hostSocket: ControlAddress { host.socket }

    /// The numbers that have a folder.
    var numbers: [Int] {
        ProfilePlace.guestNumbers.filter { number in
            (try? host.guest(number)).map { Folder.isThere($0.dataDirectory) } ?? false
        }
    }

    /// The places of a guest; `nil` if there is no folder.
    func place(of number: Int) -> ProfilePlace? {
        guard let place = try? host.guest(number), Folder.isThere(place.dataDirectory) else {
            return nil
        }
        return place
    }

    /// Environment variables that lead a program there.
    func variables(of number: Int) -> [String: String] { host.variables(ofGuest: number) }

    /// The page of a guest; `nil` before the agent has started, and for no guest.
    func owner(of number: Int) -> Bytes32? {
        guard let place = try? host.guest(number),
            let kept = try? PrivateFile.read(place.dataDirectory + "/page", limit: 64)
        else { return nil }
        return bytes(hexadecimal: String(decoding: kept, as: UTF8.self)).flatMap(Bytes32.init)
    }

    /// Makes a page the guest's. It is on the disk when this returns. Throws `file`.
    func give(_ number: Int, to key: Bytes32) throws(UserError) {
        let path = try host.guest(number).dataDirectory + "/page"
        try PrivateFile.write(Array(hexadecimal(key.bytes).utf8), to: path, durably: true)
    }

    /// The sealed key of a guest who took it along; `nil` if it is here.
    func taken(_ number: Int) -> String? { place(of: number)?.takenKey }

    /// Notes the public key of which the host says that it is a guest's.
    /// A server that starts anew finds there what is to be taken back.
    func note(_ key: String, of number: Int) {
        guard let place = place(of: number) else { return }
        // Without it, nothing but that is lost.
        try? PrivateFile.write(Array(key.utf8), to: place.dataDirectory + "/key")
    }

    /// What was noted of a guest.
    func noted(_ number: Int) -> String? {
        guard let place = place(of: number),
            let kept = try? PrivateFile.read(place.dataDirectory + "/key", limit: 128)
        else { return nil }
        return String(decoding: kept, as: UTF8.self)
    }

    /// Makes the folder of a guest, and writes the options with which the agent starts.
    func prepare(_ number: Int, _ options: JSON) throws(UserError) {
        let place = try host.guest(number)
        try PrivateFile.makeDirectory(place.dataDirectory)
        try PrivateFile.makeDirectory(place.stateDirectory)
        try PrivateFile.write(Array((options.line + "\n").utf8), to: place.optionsPath)
    }

    /// The name and the seat with which a guest came in; no seat in a venue.
    func wish(of number: Int) -> (name: String, seat: String?)? {
        guard let place = place(of: number),
            let kept = try? PrivateFile.read(place.optionsPath),
            let options = try? JSON(line: kept.prefix { $0 != 10 })["options"],
            let name = options["name"]?.list?.last?.text
        else { return nil }
        return (name, options["seat"]?.list?.last?.text)
    }

    /// Whether an agent holds the files of a guest.
    func isHeld(_ number: Int) -> Bool {
        (try? host.guest(number)).map { ProfileLock.holder(of: $0.lockPath) != nil } ?? false
    }

    /// Whether an agent answers at the socket of a guest: it may, although its files are gone.
    func isAnswering(_ number: Int) -> Bool {
        guard let socket = try? host.guest(number).socket else { return false }
        guard case .connected(let descriptor) = UnixSocket.connect(to: socket) else {
            return false
        }
        close(descriptor)
        return true
    }

    /// The socket of a guest, whether there are files or not.
    func socket(of number: Int) -> ControlAddress? { try? host.guest(number).socket }

    /// Deletes what is kept of a guest, unless an agent holds it. Whether it is gone.
    @discardableResult
    func remove(_ number: Int) -> Bool {
        guard let place = try? host.guest(number), !isHeld(number) else { return false }
        Folder.remove(place.stateDirectory)
        return Folder.remove(place.dataDirectory)
    }
}
