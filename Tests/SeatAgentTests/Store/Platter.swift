// SPDX-License-Identifier: Apache-2.0
import Protocol

/// What is really on the disk after some operations, and what may be there
/// when the power fails now.
struct Platter {
    /// What becomes of everything that was written and not synced.
    enum Fate: Hashable {
        /// All of it is lost; new names are gone, deleted ones back.
        case lost
        /// All of it arrived.
        case kept
        /// Of each file only the last write arrived, before those that were asked for earlier.
        case lastOnly
        /// Every other write arrived.
        case alternate
        /// Of each sector of each write by chance the old bytes, the new ones, or neither.
        case torn(UInt64)
    }

    /// Files with what is in them, sorted by name.
    struct Image: Equatable {
        var files: [(name: String, bytes: [UInt8])] = []

        static func == (left: Image, right: Image) -> Bool {
            left.files.count == right.files.count
                && zip(left.files, right.files).allSatisfy {
                    $0.name == $1.name && $0.bytes.isSame(as: $1.bytes)
                }
        }
    }

    /// All that are played at each point.
    static let fates: [Fate] = [.lost, .kept, .lastOnly, .alternate, .torn(1), .torn(2)]

    /// The smallest piece that a disk writes whole, in bytes.
    private static let sector = 512

    private enum Change {
        case write(offset: Int, bytes: [UInt8])
        case size(Int)
    }

    private struct Body {
        var durable: [UInt8] = []
        var pending: [Change] = []
        /// Its name survives.
        var isNamed = false
    }

    private var bodies: [Int: Body] = [:]
    private var names: [String: Int] = [:]
    /// Deleted, but perhaps not for good.
    private var lingering: [String: Int] = [:]

    /// A disk on which these files are, safe; numbered as ``Disk`` does it.
    init(_ image: Image = Image()) {
        for (index, (name, bytes)) in image.files.enumerated() {
            bodies[index + 1] = Body(durable: bytes, isNamed: true)
            names[name] = index + 1
        }
    }

    /// Follows one operation.
    mutating func follow(_ operation: Disk.Operation) {
        switch operation {
        case .create(let name, let number):
            names[name] = number
            bodies[number] = Body()
        case .write(let number, let offset, let bytes):
            bodies[number]?.pending.append(.write(offset: offset, bytes: bytes))
        case .truncate(let number, let size): bodies[number]?.pending.append(.size(size))
        case .sync(let number):
            guard var body = bodies[number] else { return }
            for change in body.pending { Self.carry(out: change, &body.durable) }
            body.pending = []
            bodies[number] = body
            // The first sync of a new journal makes SQLite sync the directory too. The main file's
            // name rests on that alone.
            let isJournal = names.contains {
                $0.value == number && ($0.key.hasSuffix("-wal") || $0.key.hasSuffix("-journal"))
            }
            if isJournal, !body.isNamed {
                for owner in names.values { bodies[owner]?.isNamed = true }
                lingering = [:]
            }
        case .forget(let number): bodies[number]?.pending = []
        case .delete(let name):
            lingering[name] = names[name]
            names[name] = nil
        }
    }

    /// The files as they are found after a cut of power now.
    func image(_ fate: Fate) -> Image {
        var random = SeededRandom(seed: 0)
        if case .torn(let seed) = fate { random = SeededRandom(seed: seed) }
        var image = Image()
        for name in Set(names.keys).union(lingering.keys).sorted() {
            let keeps: Bool =
                switch fate {
                case .lost: false
                case .kept, .lastOnly, .alternate: true
                case .torn: random.next() & 1 == 0
                }
            var number = lingering[name]
            if let present = names[name], let body = bodies[present] {
                if body.isNamed || keeps { number = present }
            } else if keeps {
                number = nil
            }
            if let body = number.flatMap({ bodies[$0] }) {
                image.files.append((name, Self.surviving(body, fate, &random)))
            }
        }
        return image
    }

    private static func surviving(
        _ body: Body, _ fate: Fate, _ random: inout SeededRandom
    ) -> [UInt8] {
        var bytes = body.durable
        switch fate {
        case .lost: break
        case .kept: for change in body.pending { carry(out: change, &bytes) }
        case .lastOnly: if let last = body.pending.last { carry(out: last, &bytes) }
        case .alternate:
            for (index, change) in body.pending.enumerated() where index & 1 == 1 {
                carry(out: change, &bytes)
            }
        case .torn: for change in body.pending { tear(change, &bytes, &random) }
        }
        return bytes
    }

    private static func carry(out change: Change, _ bytes: inout [UInt8]) {
        switch change {
        case .write(let offset, let new): bytes.place(new, at: offset)
        case .size(let size): bytes.resize(to: size)
        }
    }

    /// Sector by sector: as before, as written, or something that nobody wrote.
    private static func tear(
        _ change: Change, _ bytes: inout [UInt8], _ random: inout SeededRandom
    ) {
        guard case .write(let offset, let new) = change else {
            if random.next() & 1 == 0 { carry(out: change, &bytes) }
            return
        }
        var start = offset
        while start < offset + new.count {
            let end = min((start / sector + 1) * sector, offset + new.count)
            let piece = Array(new[(start - offset)..<(end - offset)])
            switch random.next() % 4 {
            case 0: break
            case 1: bytes.place(piece.map { $0 ^ 0xA5 }, at: start)
            default: bytes.place(piece, at: start)
            }
            start = end
        }
    }
}
