// SPDX-License-Identifier: Apache-2.0
import ControlAPI
import System
import Text

/// Agents of guests that nobody owns: they are told to end, and their files are deleted.
final class OrphanAgents {
    private let house: GuestHouse
    private let loop: EventLoop
    /// Links to them, until they have ended.
    private var links: [Int: AgentLink] = [:]

    init(_ house: GuestHouse, loop: EventLoop) {
        self.house = house
        self.loop = loop
    }

    /// Tells one to end, if it runs or comes up yet.
    func end(_ number: Int) {
        guard let socket = house.shelf.socket(of: number) else { return }
        let link = links[number] ?? AgentLink(socket, loop: loop) { _ in }
        links[number] = link
        link.ask(ControlCall(operation: .down, arguments: .object([:]))) { _ in }
    }

    /// Deletes the files of those that have ended, and tells the others again.
    func look() {
        for number in links.keys.sorted() where !house.isStarting(number) {
            guard !house.shelf.isAnswering(number), !house.shelf.isHeld(number) else {
                // It has come up since.
                end(number)
                continue
            }
            links.removeValue(forKey: number)?.stop()
            if house.shelf.owner(of: number) == nil { house.shelf.remove(number) }
        }
    }
}
