// SPDX-License-Identifier: Apache-2.0
// OpenSSL as the agent uses it: TLS 1.3 alone, X25519, Ed25519 certificates of both ends,
// AES-128-GCM, no tickets. The certificate is accepted for its key alone.
#pragma once

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include "bench.h"

static inline void expect_ssl(int good, const char *what) {
    if (good) return;
    ERR_print_errors_fp(stderr);
    errno = 0;
    die(what);
}

static inline int accept_any(X509_STORE_CTX *store, void *unused) {
    (void)unused;
    X509 *certificate = X509_STORE_CTX_get0_cert(store);
    unsigned char key[32];
    size_t size = sizeof key;
    EVP_PKEY *public_key = certificate ? X509_get0_pubkey(certificate) : NULL;
    return public_key && EVP_PKEY_get_raw_public_key(public_key, key, &size) == 1 && size == 32;
}

static inline X509 *own_certificate(EVP_PKEY *key) {
    X509 *certificate = X509_new();
    expect_ssl(certificate != NULL, "X509_new");
    X509_NAME *name = X509_get_subject_name(certificate);
    expect_ssl(X509_set_version(certificate, 2) == 1
                   && ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1) == 1
                   && X509_gmtime_adj(X509_getm_notBefore(certificate), 0) != NULL
                   && X509_gmtime_adj(X509_getm_notAfter(certificate), 86400) != NULL
                   && X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                                                 (const unsigned char *)"bench", -1, -1, 0) == 1
                   && X509_set_issuer_name(certificate, name) == 1
                   && X509_set_pubkey(certificate, key) == 1
                   && X509_sign(certificate, key, NULL) > 0,
               "certificate");
    return certificate;
}

static inline SSL_CTX *tls_context(void) {
    SSL_CTX *context = SSL_CTX_new(TLS_method());
    EVP_PKEY *key = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
    expect_ssl(context != NULL && key != NULL, "SSL_CTX_new");
    X509 *certificate = own_certificate(key);
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
    SSL_CTX_set_cert_verify_callback(context, accept_any, NULL);
    SSL_CTX_set_options(context, SSL_OP_NO_TICKET);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    expect_ssl(SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION) == 1
                   && SSL_CTX_set_max_proto_version(context, TLS1_3_VERSION) == 1
                   && SSL_CTX_set_ciphersuites(context, "TLS_AES_128_GCM_SHA256") == 1
                   && SSL_CTX_set1_groups_list(context, "X25519") == 1
                   && SSL_CTX_set1_sigalgs_list(context, "ed25519") == 1
                   && SSL_CTX_set1_client_sigalgs_list(context, "ed25519") == 1
                   && SSL_CTX_set_num_tickets(context, 0) == 1
                   && SSL_CTX_use_certificate(context, certificate) == 1
                   && SSL_CTX_use_PrivateKey(context, key) == 1,
               "TLS profile");
    X509_free(certificate);
    EVP_PKEY_free(key);
    return context;
}

// TLS over a connected socket with blocking calls.
static inline SSL *tls_over(SSL_CTX *context, int fd, int is_client) {
    SSL *connection = SSL_new(context);
    expect_ssl(connection != NULL && SSL_set_fd(connection, fd) == 1, "SSL_new");
    int result = is_client ? SSL_connect(connection) : SSL_accept(connection);
    expect_ssl(result == 1, "handshake");
    return connection;
}
