// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import Discovery

struct LibraryTests {
    @Test func whatAvahiAsksMemoryForBeginsAsZeros() throws {
        DNSServiceLibrary.beginWithZeros()
        let common = try #require(dlopen("libavahi-common.so.3", RTLD_NOW))
        let symbol = try #require(dlsym(common, "avahi_malloc"))
        typealias Allocate = @convention(c) (Int) -> UnsafeMutableRawPointer?
        let allocate = unsafeBitCast(symbol, to: Allocate.self)
        // About that of a reference.
        let size = 320
        // What somebody gave back lies there, and is what comes next.
        let used = try #require(malloc(size))
        memset(used, 0xa5, size)
        free(used)
        let memory = try #require(allocate(size))
        defer { free(memory) }
        #expect(UnsafeRawBufferPointer(start: memory, count: size).allSatisfy { $0 == 0 })
    }
}
