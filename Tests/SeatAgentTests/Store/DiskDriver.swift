// SPDX-License-Identifier: Apache-2.0
import CSQLite
import Glibc

/// Gives SQLite a ``Disk`` as one of its virtual file systems.
///
/// The pointers here are SQLite's: it hands out memory for a file (``place`` says what is in it)
/// and calls C functions with it. Nothing outside of this file sees a pointer.
final class DiskDriver {
    let disk: Disk
    private let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    fileprivate let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    private let name: UnsafeMutablePointer<CChar>

    /// The path under which SQLite finds `file` on the disk.
    func path(_ file: String) -> String { "file:/\(file)?vfs=\(String(cString: name))" }

    init(_ disk: Disk) {
        self.disk = disk
        name = strdup("disk-\(UInt(bitPattern: vfs))")
        methods.initialize(to: fileMethods())
        vfs.initialize(to: sqlite3_vfs())
        vfs.pointee.iVersion = 2
        // The methods, then the open file.
        vfs.pointee.szOsFile = Int32(2 * MemoryLayout<UnsafeRawPointer>.stride)
        vfs.pointee.mxPathname = 256
        vfs.pointee.zName = UnsafePointer(name)
        vfs.pointee.pAppData = Unmanaged.passUnretained(self).toOpaque()
        setDirectoryMethods(&vfs.pointee)
        sqlite3_vfs_register(vfs, 0)
    }

    deinit {
        sqlite3_vfs_unregister(vfs)
        vfs.deallocate()
        methods.deallocate()
        free(name)
    }
}

/// A file that a connection has open.
private final class OpenFile {
    let file: Disk.File
    let disk: Disk

    init(_ file: Disk.File, on disk: Disk) {
        self.file = file
        self.disk = disk
    }
}

/// Where the open file stands in SQLite's memory, after the pointer to its methods.
private let place = MemoryLayout<UnsafeRawPointer>.stride

private func driver(_ vfs: UnsafeMutablePointer<sqlite3_vfs>?) -> DiskDriver? {
    vfs?.pointee.pAppData.map { Unmanaged<DiskDriver>.fromOpaque($0).takeUnretainedValue() }
}

private func opened(_ handle: UnsafeMutablePointer<sqlite3_file>?) -> OpenFile? {
    guard let handle else { return nil }
    let stored = UnsafeRawPointer(handle).load(fromByteOffset: place, as: UnsafeRawPointer?.self)
    return stored.map { Unmanaged<OpenFile>.fromOpaque($0).takeUnretainedValue() }
}

private func setDirectoryMethods(_ vfs: inout sqlite3_vfs) {
    vfs.xOpen = { vfs, name, handle, flags, outFlags in
        guard let handle, let driver = driver(vfs) else { return SQLITE_CANTOPEN }
        handle.pointee.pMethods = nil
        switch driver.disk.open(
            name.map { String(cString: $0) }, creating: flags & SQLITE_OPEN_CREATE != 0)
        {
        case .failure(let failure): return failure.code
        case .success(let file):
            let open = Unmanaged.passRetained(OpenFile(file, on: driver.disk)).toOpaque()
            UnsafeMutableRawPointer(handle).storeBytes(
                of: open, toByteOffset: place, as: UnsafeMutableRawPointer.self)
            handle.pointee.pMethods = UnsafePointer(driver.methods)
            outFlags?.pointee = flags
            return SQLITE_OK
        }
    }
    vfs.xDelete = { vfs, name, _ in
        guard let name, let driver = driver(vfs) else { return SQLITE_IOERR }
        return driver.disk.delete(String(cString: name))
    }
    vfs.xAccess = { vfs, name, flags, result in
        guard let name, let driver = driver(vfs) else { return SQLITE_IOERR }
        let file = driver.disk.names[String(cString: name)]
        // As on a real disk: an empty file is as good as none.
        result?.pointee =
            file.map { flags != SQLITE_ACCESS_EXISTS || !$0.bytes.isEmpty } == true
            ? 1 : 0
        return SQLITE_OK
    }
    vfs.xFullPathname = { _, name, size, out in
        guard let name, let out, strlen(name) < Int(size) else { return SQLITE_CANTOPEN }
        strcpy(out, name)
        return SQLITE_OK
    }
    vfs.xRandomness = { _, count, out in
        guard let out else { return 0 }
        for index in 0..<Int(count) { out[index] = CChar(truncatingIfNeeded: 37 &* index &+ 11) }
        return count
    }
    vfs.xSleep = { _, microseconds in microseconds }
    vfs.xCurrentTimeInt64 = { _, out in
        out?.pointee = 212_000_000_000_000
        return SQLITE_OK
    }
    vfs.xGetLastError = { _, _, _ in 0 }
}

private func fileMethods() -> sqlite3_io_methods {
    var methods = sqlite3_io_methods()
    methods.iVersion = 2
    methods.xClose = { handle in
        guard let handle else { return SQLITE_IOERR }
        let stored = UnsafeRawPointer(handle).load(
            fromByteOffset: place, as: UnsafeRawPointer?.self)
        if let stored { Unmanaged<OpenFile>.fromOpaque(stored).release() }
        handle.pointee.pMethods = nil
        return SQLITE_OK
    }
    methods.xRead = { handle, out, count, offset in
        guard let open = opened(handle), let out,
            let bytes = open.disk.read(open.file, Int(count), at: Int(offset))
        else { return DiskFailure.reading }
        memset(out, 0, Int(count))
        bytes.withUnsafeBytes { if let base = $0.baseAddress { memcpy(out, base, $0.count) } }
        return bytes.count == Int(count) ? SQLITE_OK : DiskFailure.shortRead
    }
    methods.xWrite = { handle, bytes, count, offset in
        guard let open = opened(handle), let bytes else { return DiskFailure.writing }
        let copy = [UInt8](copying: bytes, count: Int(count))
        return open.disk.write(open.file, copy, at: Int(offset))
    }
    methods.xTruncate = { handle, size in
        opened(handle).map { $0.disk.truncate($0.file, to: Int(size)) } ?? SQLITE_IOERR
    }
    methods.xSync = { handle, _ in
        opened(handle).map { $0.disk.sync($0.file) } ?? SQLITE_IOERR
    }
    methods.xFileSize = { handle, size in
        size?.pointee = Int64(opened(handle)?.file.bytes.count ?? 0)
        return SQLITE_OK
    }
    // One connection at a time: nobody to lock out.
    methods.xLock = { _, _ in SQLITE_OK }
    methods.xUnlock = { _, _ in SQLITE_OK }
    methods.xCheckReservedLock = { _, out in
        out?.pointee = 0
        return SQLITE_OK
    }
    methods.xFileControl = { _, _, _ in SQLITE_NOTFOUND }
    // What SQLite assumes of Linux: 4096 bytes, and a torn write spoils no byte beside it.
    methods.xSectorSize = { _ in 4096 }
    methods.xDeviceCharacteristics = { _ in SQLITE_IOCAP_POWERSAFE_OVERWRITE }
    setSharedMemory(&methods)
    return methods
}

private func setSharedMemory(_ methods: inout sqlite3_io_methods) {
    methods.xShmMap = { handle, region, size, extends, out in
        guard let open = opened(handle) else { return DiskFailure.sharing }
        guard open.disk.trouble != .unshared else { return DiskFailure.sharing }
        out?.pointee = nil
        while open.file.regions.count <= Int(region) {
            guard extends != 0 else { return SQLITE_OK }
            let memory = UnsafeMutableRawPointer.allocate(byteCount: Int(size), alignment: 16)
            memset(memory, 0, Int(size))
            open.file.regions.append(memory)
        }
        out?.pointee = open.file.regions[Int(region)]
        return SQLITE_OK
    }
    methods.xShmLock = { _, _, _, _ in SQLITE_OK }
    methods.xShmBarrier = { _ in }
    methods.xShmUnmap = { handle, _ in
        opened(handle)?.file.dropRegions()
        return SQLITE_OK
    }
}
