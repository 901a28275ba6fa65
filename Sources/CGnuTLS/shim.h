// SPDX-License-Identifier: Apache-2.0
// GnuTLS, which libmicrohttpd speaks TLS with: here for its certificates alone.
#pragma once
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>

/* A macro with casts that Swift cannot import. */

/// What `gnutls_x509_privkey_generate` takes in place of a number of bits for a key on P-256.
static inline unsigned int cgnutls_p256_bits(void) {
    return GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1);
}
