#include "frames.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figures.h"

#define MOST_BYTES (8u << 20)
static const char KEY[] = "\"nonce\":\"";
#define KEY_LENGTH (sizeof KEY - 1)

static void put_u32(char *to, uint32_t value) {
  for (int i = 0; i < 4; i++) to[i] = (char)(value >> (8 * i));
}

static uint32_t get_u32(const char *from) {
  const unsigned char *bytes = (const unsigned char *)from;
  return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static struct frame frame_of_line(const char *line, size_t length) {
  char *body;
  unsigned long opcode = strtoul(line, &body, 10);
  if (body == line || *body != ' ') fail("a line of frames begins with the opcode and a blank: %.40s", line);
  body += 1;
  size_t bytes = length - (size_t)(body - line);
  struct frame frame = {.bytes = malloc(HEADER_BYTES + bytes + 1), .length = HEADER_BYTES + bytes};
  if (frame.bytes == NULL) fail("out of memory");
  put_u32(frame.bytes, (uint32_t)opcode);
  put_u32(frame.bytes + 4, (uint32_t)bytes);
  memcpy(frame.bytes + HEADER_BYTES, body, bytes);
  frame.bytes[frame.length] = '\0';
  char *nonce = strstr(frame.bytes + HEADER_BYTES, KEY);
  char *end = nonce == NULL ? NULL : strchr(nonce + KEY_LENGTH, '"');
  if (end == NULL) return frame;
  frame.nonce = strndup(nonce, (size_t)(end - nonce) + 1);
  if (strspn(nonce + KEY_LENGTH, "0") == NONCE_DIGITS) frame.nonce_at = (size_t)(nonce - frame.bytes) + KEY_LENGTH;
  return frame;
}

struct script read_script(const char *path) {
  FILE *file = fopen(path, "r");
  if (file == NULL) fail("%s cannot be read", path);
  struct script script = {0};
  char *line = NULL;
  size_t room = 0;
  for (ssize_t length; (length = getline(&line, &room, file)) > 0;) {
    if (line[length - 1] == '\n') line[--length] = '\0';
    if (length == 0) continue;
    script.frames = realloc(script.frames, (script.count + 1) * sizeof *script.frames);
    script.frames[script.count++] = frame_of_line(line, (size_t)length);
  }
  free(line);
  fclose(file);
  if (script.count == 0) fail("%s holds no frame", path);
  return script;
}

void set_nonce(char *bytes, const struct frame *frame, uint64_t nonce) {
  if (frame->nonce_at == 0) return;
  for (char *digit = bytes + frame->nonce_at + NONCE_DIGITS; digit-- > bytes + frame->nonce_at; nonce /= 10)
    *digit = (char)('0' + nonce % 10);
}

size_t first_frame(const char *bytes, size_t length, struct reply *reply) {
  if (length < HEADER_BYTES) return 0;
  uint32_t body = get_u32(bytes + 4);
  if (body > MOST_BYTES) fail("the server announces a frame of %u bytes", body);
  if (length < HEADER_BYTES + (size_t)body) return 0;
  *reply = (struct reply){.opcode = get_u32(bytes), .body = bytes + HEADER_BYTES, .length = body};
  return HEADER_BYTES + (size_t)body;
}

static uint64_t digits_at(const char *text) {
  uint64_t value = 0;
  for (int i = 0; i < NONCE_DIGITS; i++) {
    if (text[i] < '0' || text[i] > '9') return UINT64_MAX;
    value = value * 10 + (uint64_t)(text[i] - '0');
  }
  return text[NONCE_DIGITS] == '"' ? value : UINT64_MAX;
}

uint64_t nonce_of(const struct reply *reply) {
  // Most servers have it last: "nonce":"0000000001"}
  size_t tail = KEY_LENGTH + NONCE_DIGITS + 2;
  if (reply->length >= tail && memcmp(reply->body + reply->length - tail, KEY, KEY_LENGTH) == 0)
    return digits_at(reply->body + reply->length - tail + KEY_LENGTH);
  const char *found = memmem(reply->body, reply->length, KEY, KEY_LENGTH);
  if (found == NULL) return UINT64_MAX;
  const char *digits = found + KEY_LENGTH;
  if (digits + NONCE_DIGITS + 1 > reply->body + reply->length) return UINT64_MAX;
  return digits_at(digits);
}

int holds(const struct reply *reply, const char *text) {
  return memmem(reply->body, reply->length, text, strlen(text)) != NULL;
}
