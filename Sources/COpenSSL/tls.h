// What a TLS client needs of libssl and Swift does not import: macros, and the way to a socket.
#include <errno.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdint.h>
#include <sys/socket.h>

static inline int ration_tls_set_oldest(SSL_CTX *context, int version) {
    return SSL_CTX_set_min_proto_version(context, version);
}

/// A write that was refused is tried again with the same bytes, wherever they lie then; a read takes what the kernel has.
static inline void ration_tls_set_modes(SSL_CTX *context) {
    SSL_CTX_set_mode(context, SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_read_ahead(context, 1);
}

/// The name that the server is asked for (RFC 6066, section 3).
static inline int ration_tls_set_name(SSL *connection, const char *name) {
    return (int)SSL_set_tlsext_host_name(connection, name);
}

static inline int ration_tls_file_of(BIO *file) { return (int)(intptr_t)BIO_get_data(file); }

static inline int ration_tls_again(void) { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

// OpenSSL's own socket writes with write(2), which ends a process by SIGPIPE where the other end has gone.
static inline int ration_tls_write(BIO *file, const char *bytes, int count) {
    ssize_t written = send(ration_tls_file_of(file), bytes, (size_t)count, MSG_NOSIGNAL);
    BIO_clear_retry_flags(file);
    if (written < 0 && ration_tls_again()) BIO_set_retry_write(file);
    return (int)written;
}

static inline int ration_tls_read(BIO *file, char *bytes, int count) {
    ssize_t taken = recv(ration_tls_file_of(file), bytes, (size_t)count, 0);
    BIO_clear_retry_flags(file);
    if (taken < 0 && ration_tls_again()) BIO_set_retry_read(file);
    if (taken == 0) BIO_set_flags(file, BIO_FLAGS_IN_EOF);
    return (int)taken;
}

static inline long ration_tls_control(BIO *file, int command, long number, void *pointer) {
    (void)number, (void)pointer;
    if (command == BIO_CTRL_EOF) return BIO_test_flags(file, BIO_FLAGS_IN_EOF) != 0;
    return command == BIO_CTRL_FLUSH;
}

/// How bytes go over a socket; to be made once, and to be kept. NULL without memory.
static inline BIO_METHOD *ration_tls_make_method(void) {
    BIO_METHOD *method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "socket");
    if (method == NULL) return NULL;
    BIO_meth_set_write(method, ration_tls_write);
    BIO_meth_set_read(method, ration_tls_read);
    BIO_meth_set_ctrl(method, ration_tls_control);
    return method;
}

/// Lets a connection use a socket, which it does not close.
static inline int ration_tls_use_socket(SSL *connection, BIO_METHOD *method, int socket) {
    BIO *file = BIO_new(method);
    if (file == NULL) return 0;
    BIO_set_data(file, (void *)(intptr_t)socket);
    BIO_set_init(file, 1);
    SSL_set_bio(connection, file, file);
    return 1;
}
