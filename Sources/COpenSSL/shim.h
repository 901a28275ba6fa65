// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

/* Macros with casts or shifts that Swift cannot import, one function each. */

static inline int copenssl_only_tls13(SSL_CTX *ctx) {
    return SSL_CTX_set_min_proto_version(ctx, TLS1_3_VERSION)
        && SSL_CTX_set_max_proto_version(ctx, TLS1_3_VERSION);
}

static inline int copenssl_set_groups(SSL_CTX *ctx, const char *names) {
    return (int)SSL_CTX_set1_groups_list(ctx, names);
}

static inline int copenssl_set_sigalgs(SSL_CTX *ctx, const char *names) {
    return SSL_CTX_set1_sigalgs_list(ctx, names)
        && SSL_CTX_set1_client_sigalgs_list(ctx, names);
}

/* The digest of two parts one behind the other; 0 where there is no memory. */
static inline int copenssl_digest(const EVP_MD *algorithm, const void *first, size_t count,
    const void *second, size_t rest, unsigned char *out) {
    EVP_MD_CTX *state = EVP_MD_CTX_new();
    int is_good = state != NULL && EVP_DigestInit_ex(state, algorithm, NULL)
        && EVP_DigestUpdate(state, first, count) && EVP_DigestUpdate(state, second, rest)
        && EVP_DigestFinal_ex(state, out, NULL);
    EVP_MD_CTX_free(state);
    return is_good;
}

/* No tickets, no renegotiation, no compression; the server's order of suites decides. */
static inline void copenssl_set_options(SSL_CTX *ctx) {
    SSL_CTX_set_options(ctx, SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION
        | SSL_OP_CIPHER_SERVER_PREFERENCE);
    SSL_CTX_set_session_cache_mode(ctx, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_mode(ctx, SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_read_ahead(ctx, 1);
}

/* Whether a connection has its buffers, 16 KiB for each way, made anew for each record. */
static inline void copenssl_keep_buffers(SSL *ssl) {
    SSL_clear_mode(ssl, SSL_MODE_RELEASE_BUFFERS);
}

/* What holds a part of a record stays until the record is read or written. */
static inline void copenssl_release_buffers(SSL *ssl) {
    SSL_set_mode(ssl, SSL_MODE_RELEASE_BUFFERS);
    int were_empty = SSL_free_buffers(ssl);
    (void)were_empty;
}

static inline void copenssl_set_max_cert_list(SSL_CTX *ctx, long bytes) {
    SSL_CTX_set_max_cert_list(ctx, bytes);
}

static inline void copenssl_set_owner(SSL *ssl, void *owner) { SSL_set_app_data(ssl, owner); }

static inline void *copenssl_owner(const SSL *ssl) { return SSL_get_app_data(ssl); }

static inline int copenssl_chain_count(X509_STORE_CTX *store) {
    STACK_OF(X509) *chain = X509_STORE_CTX_get0_untrusted(store);
    return chain == NULL ? 0 : sk_X509_num(chain);
}

static inline void copenssl_bio_begin(BIO *bio) { BIO_clear_retry_flags(bio); }

static inline void copenssl_bio_retry_read(BIO *bio) { BIO_set_retry_read(bio); }

/* A client of ordinary servers: TLS 1.2 or newer, the chain is verified, no renegotiation; writes
   take what the socket takes. */
static inline int copenssl_ordinary_client(SSL_CTX *ctx) {
    SSL_CTX_set_options(ctx, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
    SSL_CTX_set_session_cache_mode(ctx, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_mode(ctx, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_verify(ctx, SSL_VERIFY_PEER, NULL);
    return (int)SSL_CTX_set_min_proto_version(ctx, TLS1_2_VERSION);
}

static inline int copenssl_set_server_name(SSL *ssl, const char *name) {
    return (int)SSL_set_tlsext_host_name(ssl, name);
}
