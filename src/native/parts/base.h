#ifdef FB_IMPLEMENTATION
#ifndef FB_IMPLEMENTATION_ONCE
#define FB_IMPLEMENTATION_ONCE

#include <string.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bounds of the memory of a client (bytes). */
enum {
  FB__IN_SIZE = 16384,
  FB__OUT_SIZE = 8192,
  FB__PRESENCE_SIZE = 6144,
  FB__SUBSCRIPTIONS_SIZE = 2048,
  FB__TOKEN_SIZE = 512,
  FB__REPORT_SIZE = 1536,
  FB__PATH_SIZE = 256,
  FB__NAME_SIZE = 64,
  FB__MAX_DEPTH = 128,
  FB__HEADER = 8
};

/** A part of the memory that grows by the allocator, or stays where the memory is the caller's. */
typedef struct fb__buffer {
  char *at;
  size_t size;
  /** First byte that is not done with, and the end of the bytes. */
  size_t begin;
  size_t end;
  int is_grown;
} fb__buffer;

static size_t fb__length(const char *text) { return text ? strlen(text) : 0; }

static int fb__equal(const char *text, size_t length, const char *other) {
  return length == strlen(other) && memcmp(text, other, length) == 0;
}

/** Copies a text that ends with NUL. @return 0 where it has no room */
static int fb__copy(char *to, size_t size, const char *text) {
  size_t length = fb__length(text);
  if (length >= size) return 0;
  if (length > 0) memcpy(to, text, length);
  to[length] = '\0';
  return 1;
}

/** Writes a number in decimal digits that end with NUL. @return the number of digits */
static size_t fb__digits(char *to, uint64_t number) {
  char reversed[24];
  size_t length = 0, i;
  do {
    reversed[length++] = (char)('0' + (int)(number % 10));
    number /= 10;
  } while (number > 0);
  for (i = 0; i < length; i++) to[i] = reversed[length - 1 - i];
  to[length] = '\0';
  return length;
}

static size_t fb__signed_digits(char *to, int64_t number) {
  size_t sign = number < 0 ? 1 : 0;
  if (sign) to[0] = '-';
  return sign + fb__digits(to + sign, sign ? (uint64_t)0 - (uint64_t)number : (uint64_t)number);
}

static uint32_t fb__read32(const char *at) {
  const unsigned char *bytes = (const unsigned char *)at;
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void fb__write32(char *at, uint32_t value) {
  at[0] = (char)(value & 255U);
  at[1] = (char)(value >> 8 & 255U);
  at[2] = (char)(value >> 16 & 255U);
  at[3] = (char)(value >> 24 & 255U);
}

/**
 * Reads one character of UTF-8. @return its bytes, 0 where it is none (overlong, a surrogate, above U+10FFFF, cut)
 */
static size_t fb__utf8(const char *at, const char *end, uint32_t *character) {
  const unsigned char *bytes = (const unsigned char *)at;
  size_t length = (size_t)(end - at), need, i;
  uint32_t value;
  if (length == 0) return 0;
  if (bytes[0] < 0x80) {
    *character = bytes[0];
    return 1;
  }
  if (bytes[0] < 0xC2 || bytes[0] > 0xF4) return 0;
  need = bytes[0] < 0xE0 ? 2 : bytes[0] < 0xF0 ? 3 : 4;
  if (length < need) return 0;
  value = (uint32_t)bytes[0] & (0xFFU >> (need + 1));
  for (i = 1; i < need; i++) {
    if ((bytes[i] & 0xC0) != 0x80) return 0;
    value = value << 6 | (bytes[i] & 0x3FU);
  }
  if ((need == 3 && value < 0x800) || (need == 4 && value < 0x10000) || value > 0x10FFFF) return 0;
  if (value >= 0xD800 && value <= 0xDFFF) return 0;
  *character = value;
  return need;
}

/** Writes a character as UTF-8. @return its bytes */
static size_t fb__to_utf8(char *to, uint32_t character) {
  size_t length = character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4, i;
  if (length == 1) {
    to[0] = (char)character;
    return 1;
  }
  for (i = length - 1; i > 0; i--) {
    to[i] = (char)(0x80U | (character & 0x3FU));
    character >>= 6;
  }
  to[0] = (char)((0xF00U >> length & 0xFFU) | character);
  return length;
}

/** Length of a text in UTF-16 units, as limits count; -1 where it is not UTF-8. */
static long fb__units(const char *text) {
  const char *end = text + strlen(text);
  long units = 0;
  while (text < end) {
    uint32_t character = 0;
    size_t length = fb__utf8(text, end, &character);
    if (length == 0) return -1;
    units += character > 0xFFFF ? 2 : 1;
    text += length;
  }
  return units;
}

#ifndef FB_NO_AUTH
/** Overwrites a secret, which the compiler must not leave out. */
static void fb__wipe(void *memory, size_t size) {
  volatile char *bytes = (volatile char *)memory;
  while (size-- > 0) *bytes++ = 0;
}
#endif

#ifndef FB_NO_MALLOC
static void *fb__realloc(void *allocator, void *block, size_t size) {
  (void)allocator;
  if (size > 0) return realloc(block, size);
  free(block);
  return NULL;
}
#endif
