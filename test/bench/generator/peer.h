// One connection to the server.
#ifndef PEER_H
#define PEER_H
#include <stdbool.h>

#include "frames.h"

struct peer {
  int fd;
  /** What came of a frame that is not complete. */
  char *rest;
  size_t rest_length;
  /** What the socket did not take yet. */
  char *unsent;
  size_t unsent_length;
  size_t in_flight;
  /** When the next request is due, where requests are paced (ns). */
  uint64_t due;
};

/** Connects and says the opening, one frame after the other; false when the server closed instead. */
bool peer_open(struct peer *peer, const char *path, const struct script *opening);
/** From now on no call waits. */
void peer_unblock(struct peer *peer);
/** Reads once and calls `heard` for each complete frame; false when the connection has ended. */
bool peer_read(struct peer *peer, void (*heard)(struct peer *, const struct reply *));
/** Writes what it can and keeps the rest; false when the connection has ended. */
bool peer_write(struct peer *peer, const char *bytes, size_t length);
/** Closes and forgets. */
void peer_close(struct peer *peer);
#endif
