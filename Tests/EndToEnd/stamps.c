// SPDX-License-Identifier: Apache-2.0
// Finds stamps (docs/meet.md section 3) for many keys: `stamps GROUP`, with a key in hexadecimal on
// each line of the standard input, answers with 16 digits for each. What stands before the stamp is
// hashed once for each key, as somebody in a hurry would do it.
#include <openssl/sha.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    if (argc != 2 || strlen(argv[1]) != 26) return 2;
    char line[80];
    while (fgets(line, sizeof line, stdin)) {
        unsigned char author[32], digest[32], stamp[8];
        for (int i = 0; i < 32; i++) {
            if (sscanf(line + 2 * i, "%2hhx", author + i) != 1) return 2;
        }
        SHA256_CTX start;
        SHA256_Init(&start);
        SHA256_Update(&start, "seatswap/meet/stamp", 19);
        SHA256_Update(&start, argv[1], 26);
        SHA256_Update(&start, author, 32);
        for (unsigned long long next = 0;; next++) {
            for (int i = 0; i < 8; i++) stamp[i] = (unsigned char)(next >> (56 - 8 * i));
            SHA256_CTX one = start;
            SHA256_Update(&one, stamp, 8);
            SHA256_Final(digest, &one);
            if (!digest[0] && !digest[1] && digest[2] < 16) break;
        }
        for (int i = 0; i < 8; i++) printf("%02x", stamp[i]);
        putchar('\n');
    }
    return 0;
}
