#include <microhttpd.h>

/// `MHD_start_daemon` with its variadic options as arguments: a daemon with a thread of its own that serves the
/// listening `socket` and closes it when it stops. NULL, with `errno`, if it cannot start.
static inline struct MHD_Daemon *ration_http_start(
    MHD_socket socket, MHD_AccessHandlerCallback handler, void *context, unsigned int connection_limit,
    unsigned int timeout_seconds, size_t memory_limit) {
    return MHD_start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_AUTO, 0, NULL, NULL, handler, context,
        MHD_OPTION_LISTEN_SOCKET, socket,
        MHD_OPTION_CONNECTION_LIMIT, connection_limit,
        MHD_OPTION_CONNECTION_TIMEOUT, timeout_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory_limit,
        MHD_OPTION_END);
}
