// Frames made from a file, and frames cut out of what a socket gives.
#ifndef FRAMES_H
#define FRAMES_H
#include <stddef.h>
#include <stdint.h>

#define HEADER_BYTES 8
#define NONCE_DIGITS 10

enum opcode { HANDSHAKE = 0, FRAME = 1, CLOSE = 2 };

/** One frame, header and body, ready to be written. */
struct frame {
  char *bytes;
  size_t length;
  /** Where the digits of `"nonce":"0000000000"` begin; 0 where there are none. */
  size_t nonce_at;
  /** The nonce as the file has it, `"nonce":"…"`, to be found in the reply; NULL where there is none. */
  char *nonce;
};

struct script {
  struct frame *frames;
  size_t count;
};

/** Reads a file of frames; ends the program when it cannot. */
struct script read_script(const char *path);
/** Writes the digits of a nonce into a copy of the frame. */
void set_nonce(char *bytes, const struct frame *frame, uint64_t nonce);

/** A frame that came: its body is not closed with a zero. */
struct reply {
  uint32_t opcode;
  const char *body;
  size_t length;
};
/** How many bytes the first frame of `bytes` has, 0 while it is not complete; ends the program at one beyond all reason. */
size_t first_frame(const char *bytes, size_t length, struct reply *reply);
/** The number in the reply's nonce of ten digits; UINT64_MAX where it has no such nonce. */
uint64_t nonce_of(const struct reply *reply);
/** Whether the body holds `text`. */
int holds(const struct reply *reply, const char *text);
#endif
