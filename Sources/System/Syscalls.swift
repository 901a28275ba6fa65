// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc
import Protocol

/// The result of a request to move bytes.
package enum Transfer: Equatable, Sendable {
    /// So many bytes were moved, at least one.
    case moved(Int)
    /// Nothing now; the loop will tell when.
    case wouldBlock
    /// The other end will send nothing more.
    case ended
    /// The connection is broken.
    case failed(SystemError)
}

/// Every socket call of the agent, in one place, each replaceable by a test.
///
/// All sockets are TCP, non-blocking and closed on `exec`. `EINTR` never comes out.
package struct Syscalls: Sendable {
    /// A new socket for addresses of the family of the given one.
    package var socket: @Sendable (Address) throws(SystemError) -> Int32 = openSocket
    /// Gives the socket a local address; IPv6 sockets take no IPv4 connections.
    package var bind: @Sendable (Int32, Address) throws(SystemError) -> Void = bindSocket
    /// Lets a bound socket take connections; the kernel keeps up to so many waiting.
    package var listen: @Sendable (Int32, Int32) throws(SystemError) -> Void = listenSocket
    /// Takes one waiting connection; nothing when none waits.
    package var accept: @Sendable (Int32) throws(SystemError) -> (Int32, Address)? = acceptSocket
    /// Begins to connect; the socket becomes writable when it is decided.
    package var connect: @Sendable (Int32, Address) throws(SystemError) -> Void = connectSocket
    /// Sets `TCP_NODELAY`, and `TCP_USER_TIMEOUT` in milliseconds.
    package var prepare: @Sendable (_ descriptor: Int32, _ userTimeout: Int32) -> Void =
        prepareSocket
    /// The error a socket waits to tell, for example how a connection attempt ended.
    package var takeError: @Sendable (Int32) -> SystemError? = takeSocketError
    /// The socket's own address.
    package var localAddress: @Sendable (Int32) -> Address? = localSocketAddress
    /// Reads what is there, at most as much as fits.
    package var receive: @Sendable (Int32, UnsafeMutableRawBufferPointer) -> Transfer = receiveBytes
    /// Hands bytes to the kernel, as many as it takes.
    package var send: @Sendable (Int32, UnsafeRawBufferPointer) -> Transfer = sendBytes
    /// Tells the other end that nothing more will come.
    package var endWriting: @Sendable (Int32) -> Void = { _ = shutdown($0, Int32(SHUT_WR)) }
    /// Makes the next `close` throw away what is unsent and reset the connection.
    package var resetOnClose: @Sendable (Int32) -> Void = resetSocketOnClose
    /// Gives the descriptor back.
    package var close: @Sendable (Int32) -> Void = { _ = Glibc.close($0) }
    /// The addresses of an interface, with port 0; empty when there is no such interface.
    package var addresses: @Sendable (_ interface: String) -> [Address] = Address.all(of:)

    /// The real ones.
    package init() {}
}

private func openSocket(for address: Address) throws(SystemError) -> Int32 {
    let kind =
        Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(address.family, kind, 0)
    guard descriptor >= 0 else { throw SystemError.last }
    return descriptor
}

private func bindSocket(_ descriptor: Int32, _ address: Address) throws(SystemError) {
    // A restarted agent takes its port again although old connections linger.
    set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
    if address.family == AF_INET6 { set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 1) }
    let result = address.withSocketAddress { bind(descriptor, $0, $1) }
    guard result == 0 else { throw SystemError.last }
}

private func listenSocket(_ descriptor: Int32, _ backlog: Int32) throws(SystemError) {
    guard listen(descriptor, backlog) == 0 else { throw SystemError.last }
}

private func acceptSocket(_ descriptor: Int32) throws(SystemError) -> (Int32, Address)? {
    let flags = Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    while true {
        let (accepted, address) = Address.filled { accept4(descriptor, $0, $1, flags) }
        if accepted >= 0 {
            if let address { return (accepted, address) }
            _ = close(accepted)
            continue
        }
        switch errno {
        // The client went away while it waited: look at the next one.
        case EINTR, ECONNABORTED, EPROTO: continue
        case EAGAIN: return nil
        default: throw SystemError.last
        }
    }
}

private func connectSocket(_ descriptor: Int32, _ address: Address) throws(SystemError) {
    let result = address.withSocketAddress { connect(descriptor, $0, $1) }
    guard result == 0 || errno == EINPROGRESS || errno == EINTR else { throw SystemError.last }
}

private func prepareSocket(_ descriptor: Int32, _ userTimeout: Int32) {
    set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    set(descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, userTimeout)
    // What waits in the kernel goes out in its order, however urgent what comes next is.
    set(descriptor, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, Int32(Limits.unsent))
}

private func takeSocketError(_ descriptor: Int32) -> SystemError? {
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) == 0 else {
        return SystemError.last
    }
    return code == 0 ? nil : SystemError(code: code)
}

private func localSocketAddress(_ descriptor: Int32) -> Address? {
    Address.filled { getsockname(descriptor, $0, $1) }.address
}

private func receiveBytes(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Transfer
{
    while true {
        let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        if count > 0 { return .moved(count) }
        if count == 0 { return .ended }
        if errno == EAGAIN { return .wouldBlock }
        if errno != EINTR { return .failed(SystemError.last) }
    }
}

private func sendBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Transfer {
    while true {
        let count = send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        if count >= 0 { return .moved(count) }
        if errno == EAGAIN { return .wouldBlock }
        if errno != EINTR { return .failed(SystemError.last) }
    }
}

private func resetSocketOnClose(_ descriptor: Int32) {
    var option = linger(l_onoff: 1, l_linger: 0)
    let size = socklen_t(MemoryLayout<linger>.size)
    _ = setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, size)
}

private func set(_ descriptor: Int32, _ level: Int32, _ name: Int32, _ value: Int32) {
    var value = value
    // Only a speed or a comfort is lost where the kernel does not know an option.
    _ = setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
}
