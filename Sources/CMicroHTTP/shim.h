// SPDX-License-Identifier: Apache-2.0
// libmicrohttpd without the functions of a variable number of arguments, which Swift cannot call.
#pragma once
#include <microhttpd.h>
#include <stdbool.h>
#include <stdint.h>

/// What a server allows.
struct micro_limits {
    /// Connections in all, and of one address.
    unsigned int connections, of_address;
    /// Seconds without a byte after which a connection is cut.
    unsigned int idle_seconds;
    /// Bytes of a connection's memory: its head has to fit in.
    size_t memory;
};

/// What a server of HTTPS shows and has, as PEM, and what it speaks, as GnuTLS writes it. Without a
/// certificate it is a server of HTTP. The library reads all of it before `micro_start` returns.
struct micro_identity {
    const char *certificate, *key, *priorities;
};

/// Whether the library can speak TLS.
static inline bool micro_can_encrypt(void) {
    return MHD_is_feature_supported(MHD_FEATURE_TLS) == MHD_YES;
}

/// What the library calls, with `context`.
struct micro_calls {
    MHD_AcceptPolicyCallback admit;
    MHD_AccessHandlerCallback serve;
    MHD_RequestCompletedCallback done;
    MHD_NotifyConnectionCallback connected;
};

/// Starts a server in the caller's thread; NULL if the address cannot be had.
static inline struct MHD_Daemon *micro_start(
    const struct sockaddr *address, struct micro_limits limits, struct micro_identity identity,
    struct micro_calls calls, void *context) {
    unsigned int flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME;
    if (address->sa_family == AF_INET6) flags |= MHD_USE_IPv6;
    struct MHD_OptionItem encrypted[] = {
        {MHD_OPTION_END, 0, NULL},
        {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)(uintptr_t)identity.certificate},
        {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)(uintptr_t)identity.key},
        {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)(uintptr_t)identity.priorities},
        {MHD_OPTION_END, 0, NULL},
    };
    if (identity.certificate) flags |= MHD_USE_TLS;
    return MHD_start_daemon(
        flags, 0, calls.admit, context, calls.serve, context,
        MHD_OPTION_SOCK_ADDR, address,
        MHD_OPTION_CONNECTION_LIMIT, limits.connections,
        MHD_OPTION_PER_IP_CONNECTION_LIMIT, limits.of_address,
        MHD_OPTION_CONNECTION_TIMEOUT, limits.idle_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits.memory,
        MHD_OPTION_NOTIFY_COMPLETED, calls.done, context,
        MHD_OPTION_NOTIFY_CONNECTION, calls.connected, context,
        MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_ARRAY, identity.certificate ? encrypted + 1 : encrypted,
        MHD_OPTION_END);
}

/// The descriptor that is readable when the server has something to do; -1 for none.
static inline int micro_descriptor(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info ? info->epoll_fd : -1;
}

/// The port on which it listens; 0 if that is not known.
static inline uint16_t micro_port(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info ? info->port : 0;
}

/// The socket of a connection; -1 for none.
static inline int micro_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

/// Where a connection comes from; NULL if that is not known.
static inline const struct sockaddr *micro_peer(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : NULL;
}
