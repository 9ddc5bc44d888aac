#ifndef FB_NO_AUTH
/* PKCE (RFC 7636): SHA-256 (FIPS 180-4) of 43 random characters. */

static uint32_t fb__rotated(uint32_t word, int by) { return word >> by | word << (32 - by); }

/** SHA-256 of at most 55 bytes, which is one block. */
static void fb__sha256(const char *text, size_t length, unsigned char digest[32]) {
  static const uint32_t rounds[64] = {
      0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
      0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
      0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
      0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
      0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
      0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
      0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
      0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
  uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                       0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  uint32_t words[64], now[8];
  unsigned char block[64];
  int i;
  memset(block, 0, sizeof block);
  memcpy(block, text, length);
  block[length] = 0x80;
  block[62] = (unsigned char)(length * 8 >> 8);
  block[63] = (unsigned char)(length * 8 & 255U);
  for (i = 0; i < 16; i++)
    words[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 |
               (uint32_t)block[4 * i + 3];
  for (i = 16; i < 64; i++) {
    uint32_t a = words[i - 15], b = words[i - 2];
    words[i] = words[i - 16] + (fb__rotated(a, 7) ^ fb__rotated(a, 18) ^ a >> 3) + words[i - 7] +
               (fb__rotated(b, 17) ^ fb__rotated(b, 19) ^ b >> 10);
  }
  memcpy(now, state, sizeof now);
  for (i = 0; i < 64; i++) {
    uint32_t e = now[4], a = now[0];
    uint32_t first = now[7] + (fb__rotated(e, 6) ^ fb__rotated(e, 11) ^ fb__rotated(e, 25)) +
                     ((e & now[5]) ^ (~e & now[6])) + rounds[i] + words[i];
    uint32_t second = (fb__rotated(a, 2) ^ fb__rotated(a, 13) ^ fb__rotated(a, 22)) +
                      ((a & now[1]) ^ (a & now[2]) ^ (now[1] & now[2]));
    memmove(now + 1, now, 7 * sizeof now[0]);
    now[4] += first;
    now[0] = first + second;
  }
  for (i = 0; i < 32; i++) digest[i] = (unsigned char)((state[i / 4] + now[i / 4]) >> (24 - 8 * (i % 4)) & 255U);
}

/** base64url of 32 bytes without padding: 43 characters and NUL. */
static void fb__base64url(const unsigned char bytes[32], char text[44]) {
  static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  uint32_t bits = 0;
  int count = 0, i, length = 0;
  for (i = 0; i < 32; i++) {
    bits = bits << 8 | bytes[i];
    for (count += 8; count >= 6; count -= 6) text[length++] = alphabet[bits >> (count - 6) & 63U];
  }
  text[length++] = alphabet[bits << (6 - count) & 63U];
  text[length] = '\0';
}

static int fb__random(unsigned char *bytes, size_t size);

FB_API fb_result fb_pkce_new(fb_pkce *pkce) {
  unsigned char bytes[32];
  if (pkce == NULL) return FB_E_INVALID;
  memset(pkce, 0, sizeof *pkce);
  if (!fb__random(bytes, sizeof bytes)) return FB_E_SYSTEM;
  fb__base64url(bytes, pkce->verifier);
  fb__sha256(pkce->verifier, 43, bytes);
  fb__base64url(bytes, pkce->challenge);
  fb__wipe(bytes, sizeof bytes);
  return FB_OK;
}
#endif
