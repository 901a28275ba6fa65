// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import SeatAgent
@testable import System
@testable import Text
@testable import Transport

/// A folder with a file for keys, which goes with it.
private final class KeyFolder {
    let path: String
    var file: String { path + "/keys.log" }

    init() throws {
        var template = Array("/tmp/seatagent-keys-XXXXXX".utf8CString)
        path = try #require(mkdtemp(&template).map { String(cString: $0) })
    }

    /// The first word of each line.
    func labels() throws -> [String] {
        let bytes = try PrivateFile.read(file) ?? []
        return bytes.split(separator: 10).map { line in
            String(decoding: line.prefix { $0 != 32 }, as: UTF8.self)
        }
    }

    /// Why a log there is refused; `nil` if it is not.
    func refusal(_ name: String) -> String? {
        do throws(UserError) {
            _ = try KeyLogFile(path + name)
            return nil
        } catch {
            return error.why
        }
    }

    deinit {
        for name in ["keys.log", "other", "link", "pipe", "open"] { unlink(path + "/" + name) }
        rmdir(path)
    }
}

@Suite("The log of keys")
struct NetworkKeyLogTests {
    @Test("The library is asked for secrets only where there is a file for them")
    func onlyWhenTold() throws {
        let folder = try KeyFolder()
        #expect(try !TLSContext(certificate: .seeded(1)).logsSecrets)
        let log = try KeyLogFile(folder.file)
        #expect(try TLSContext(certificate: .seeded(1), keyLog: log).logsSecrets)
    }

    @Test(
        "One end writes what a reader of both directions needs, line by line, behind what is there")
    func written() throws {
        let folder = try KeyFolder()
        try PrivateFile.write(Array("# mine\n".utf8), to: folder.file)
        let log = try KeyLogFile(folder.file)
        let client = try TLSPipe(
            context: TLSContext(certificate: .seeded(1), keyLog: log), role: .client)
        let server = try TLSPipe(context: TLSContext(certificate: .seeded(2)), role: .server)
        try client.start()
        _ = try server.feed(client.takeOutput())
        _ = try client.feed(server.takeOutput())
        #expect(client.isEstablished)
        let labels = try folder.labels()
        #expect(labels.first == "#")
        #expect(
            labels.dropFirst().sorted() == [
                "CLIENT_HANDSHAKE_TRAFFIC_SECRET", "CLIENT_TRAFFIC_SECRET_0", "EXPORTER_SECRET",
                "SERVER_HANDSHAKE_TRAFFIC_SECRET", "SERVER_TRAFFIC_SECRET_0",
            ])
    }

    @Test("The file is made for its user alone; a link, a device and a file of others are refused")
    func refused() throws {
        let folder = try KeyFolder()
        #expect(folder.refusal("/keys.log") == nil)
        var status = stat()
        #expect(stat(folder.file, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(symlink(folder.file, folder.path + "/link") == 0)
        #expect(folder.refusal("/link")?.contains("it is a link") == true)
        #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
        #expect(folder.refusal("/pipe") == "it is no ordinary file")
        #expect(folder.refusal("") == "it is no ordinary file")
        #expect(throws: UserError.self) { _ = try KeyLogFile("/dev/null") }
        try PrivateFile.write([], to: folder.path + "/open")
        #expect(chmod(folder.path + "/open", 0o644) == 0)
        #expect(folder.refusal("/open") == "others may read it")
        #expect(link(folder.file, folder.path + "/other") == 0)
        #expect(folder.refusal("/keys.log")?.contains("another name") == true)
    }
}
