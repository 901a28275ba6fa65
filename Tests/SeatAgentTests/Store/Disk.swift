// SPDX-License-Identifier: Apache-2.0
import CSQLite

/// A disk in memory, as SQLite sees it through ``DiskDriver``: it notes every operation, so that a
/// cut of power can be played at each of them afterwards, and fails when told to.
///
/// One connection at a time, on one thread.
final class Disk {
    /// What was asked of it, in order. Files are told apart by a number: a name may be used again.
    enum Operation {
        case create(String, Int)
        case write(Int, offset: Int, bytes: [UInt8])
        case truncate(Int, size: Int)
        case sync(Int)
        /// A sync that failed and forgot what it had to write, as some systems do.
        case forget(Int)
        case delete(String)
    }

    /// A file with the bytes that its readers see now.
    final class File {
        let number: Int
        var bytes: [UInt8]
        /// Memory shared between connections, in regions; SQLite keeps the index of its log there.
        var regions: [UnsafeMutableRawPointer] = []

        init(_ number: Int, _ bytes: [UInt8] = []) {
            self.number = number
            self.bytes = bytes
        }

        /// SQLite gets raw memory from here, so it is given back here.
        func dropRegions() {
            for region in regions { region.deallocate() }
            regions = []
        }

        deinit { dropRegions() }
    }

    /// What goes wrong, and at which operation, counted from 1.
    enum Trouble: Hashable {
        /// One operation fails; of a write half arrives, and a sync forgets.
        case brokenOnce(Int)
        /// Every operation from there on fails.
        case brokenFrom(Int)
        /// No byte more fits from there on, until ``Disk/repair()``.
        case fullFrom(Int)
        /// One read fails; reads are counted for themselves.
        case unreadable(Int)
        /// There is no memory to share: some file systems have none.
        case unshared
    }

    private(set) var names: [String: File] = [:]
    private(set) var operations: [Operation] = []
    /// Operations asked for, failed ones too.
    private(set) var calls = 0
    private(set) var reads = 0
    /// How often trouble was met.
    private(set) var failures = 0
    var trouble: Trouble?
    private var lastNumber = 0

    /// A disk on which these files are, safe.
    init(_ image: Platter.Image = Platter.Image()) {
        for (name, bytes) in image.files {
            lastNumber += 1
            names[name] = File(lastNumber, bytes)
        }
    }

    /// Nothing goes wrong any more.
    func repair() { trouble = nil }

    // MARK: Operations; each gives SQLite's code

    /// The file of that name, made if `creating`. Temporary files have no name and leave no trace.
    func open(_ name: String?, creating: Bool) -> Result<File, DiskFailure> {
        if let name, let file = names[name] { return .success(file) }
        guard creating else { return .failure(DiskFailure(code: SQLITE_CANTOPEN)) }
        lastNumber += 1
        let file = File(lastNumber)
        guard let name else { return .success(file) }
        if let code = fails(full: SQLITE_CANTOPEN, broken: SQLITE_CANTOPEN) {
            return .failure(DiskFailure(code: code))
        }
        names[name] = file
        operations.append(.create(name, file.number))
        return .success(file)
    }

    func write(_ file: File, _ bytes: [UInt8], at offset: Int) -> Int32 {
        let code = fails(full: SQLITE_FULL, broken: DiskFailure.writing)
        let arriving = code == nil ? bytes : Array(bytes.prefix(bytes.count / 2))
        file.bytes.place(arriving, at: offset)
        operations.append(.write(file.number, offset: offset, bytes: arriving))
        return code ?? SQLITE_OK
    }

    func truncate(_ file: File, to size: Int) -> Int32 {
        if let code = fails(full: nil, broken: DiskFailure.truncating) { return code }
        file.bytes.resize(to: size)
        operations.append(.truncate(file.number, size: size))
        return SQLITE_OK
    }

    func sync(_ file: File) -> Int32 {
        let code = fails(full: nil, broken: DiskFailure.syncing)
        operations.append(code == nil ? .sync(file.number) : .forget(file.number))
        return code ?? SQLITE_OK
    }

    func delete(_ name: String) -> Int32 {
        guard names[name] != nil else { return DiskFailure.noSuchFile }
        if let code = fails(full: nil, broken: DiskFailure.deleting) { return code }
        names[name] = nil
        operations.append(.delete(name))
        return SQLITE_OK
    }

    /// The bytes from `offset`, fewer at the end of the file; `nil` for an error.
    func read(_ file: File, _ count: Int, at offset: Int) -> ArraySlice<UInt8>? {
        reads += 1
        if trouble == .unreadable(reads) {
            failures += 1
            return nil
        }
        let start = min(offset, file.bytes.count)
        return file.bytes[start..<min(offset + count, file.bytes.count)]
    }

    private func fails(full: Int32?, broken: Int32) -> Int32? {
        calls += 1
        let code: Int32? =
            switch trouble {
            case .brokenOnce(let place): calls == place ? broken : nil
            case .brokenFrom(let place): calls >= place ? broken : nil
            case .fullFrom(let place): calls >= place ? full : nil
            case .unreadable, .unshared, nil: nil
            }
        if code != nil { failures += 1 }
        return code
    }
}

/// SQLite's code for what the disk could not do.
struct DiskFailure: Error {
    let code: Int32

    // Sums in SQLite's header that Swift cannot import.
    static let reading = SQLITE_IOERR | 1 << 8
    static let shortRead = SQLITE_IOERR | 2 << 8
    static let writing = SQLITE_IOERR | 3 << 8
    static let syncing = SQLITE_IOERR | 4 << 8
    static let truncating = SQLITE_IOERR | 6 << 8
    static let deleting = SQLITE_IOERR | 10 << 8
    static let sharing = SQLITE_IOERR | 21 << 8
    static let noSuchFile = SQLITE_IOERR | 23 << 8
}
