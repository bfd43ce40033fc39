#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>

/// Reads a private key from PEM text in memory; never asks for a passphrase. NULL for what is none.
static inline EVP_PKEY *ration_openssl_read_key(const void *bytes, int count) {
    BIO *text = BIO_new_mem_buf(bytes, count);
    if (text == NULL) return NULL;
    // An empty passphrase, so that an encrypted key is refused and no terminal is asked.
    EVP_PKEY *key = PEM_read_bio_PrivateKey(text, NULL, NULL, (void *)"");
    BIO_free(text);
    return key;
}
