#include "peer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "figures.h"

#define CHUNK_BYTES (1u << 18)
#define PATIENCE_S 20

/** All peers read into it, one after the other: ten thousand of them need no buffer each. */
static char *chunk;
static size_t chunk_room;

static void make_room(size_t bytes) {
  if (bytes <= chunk_room) return;
  chunk = realloc(chunk, bytes);
  if (chunk == NULL) fail("out of memory");
  chunk_room = bytes;
}

static void keep(char **kept, size_t *kept_length, const char *bytes, size_t length) {
  char *copy = NULL;
  if (length > 0) {
    copy = malloc(length);
    if (copy == NULL) fail("out of memory");
    memcpy(copy, bytes, length);
  }
  free(*kept);
  *kept = copy;
  *kept_length = length;
}

bool peer_read(struct peer *peer, void (*heard)(struct peer *, const struct reply *)) {
  make_room(peer->rest_length + CHUNK_BYTES);
  if (peer->rest_length > 0) memcpy(chunk, peer->rest, peer->rest_length);
  ssize_t got = read(peer->fd, chunk + peer->rest_length, CHUNK_BYTES);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return true;
  if (got <= 0) return false;
  size_t length = peer->rest_length + (size_t)got, at = 0;
  struct reply reply;
  for (size_t bytes; (bytes = first_frame(chunk + at, length - at, &reply)) > 0; at += bytes) heard(peer, &reply);
  if (peer->rest_length > 0 || at < length) keep(&peer->rest, &peer->rest_length, chunk + at, length - at);
  return true;
}

bool peer_write(struct peer *peer, const char *bytes, size_t length) {
  size_t at = 0;
  while (peer->unsent_length == 0 && at < length) {
    ssize_t wrote = write(peer->fd, bytes + at, length - at);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0 && errno == EAGAIN) break;
    if (wrote < 0) return false;
    at += (size_t)wrote;
  }
  if (at == length) return true;
  char *all = malloc(peer->unsent_length + length - at);
  if (all == NULL) fail("out of memory");
  if (peer->unsent_length > 0) memcpy(all, peer->unsent, peer->unsent_length);
  memcpy(all + peer->unsent_length, bytes + at, length - at);
  free(peer->unsent);
  peer->unsent = all;
  peer->unsent_length += length - at;
  return true;
}

void peer_close(struct peer *peer) {
  if (peer->fd >= 0) close(peer->fd);
  free(peer->rest);
  free(peer->unsent);
  *peer = (struct peer){.fd = -1};
}

void peer_unblock(struct peer *peer) { fcntl(peer->fd, F_SETFL, O_NONBLOCK); }

/** The nonce that is waited for, and whether it came; NULL is whatever comes first. */
static const char *awaited;
static bool came, closed;

static void look(struct peer *peer, const struct reply *reply) {
  (void)peer;
  if (reply->opcode == CLOSE) closed = true;
  if (awaited == NULL || holds(reply, awaited)) came = true;
}

bool peer_open(struct peer *peer, const char *path, const struct script *opening) {
  *peer = (struct peer){.fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  if (peer->fd < 0) fail("no socket: %s", strerror(errno));
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) fail("the path is too long for a socket: %s", path);
  strcpy(address.sun_path, path);
  struct timeval patience = {.tv_sec = PATIENCE_S};
  setsockopt(peer->fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  setsockopt(peer->fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  if (connect(peer->fd, (struct sockaddr *)&address, sizeof address) != 0) return false;
  for (size_t i = 0; i < opening->count; i++) {
    awaited = opening->frames[i].nonce;
    came = closed = false;
    if (!peer_write(peer, opening->frames[i].bytes, opening->frames[i].length)) return false;
    uint64_t late = now_ns() + PATIENCE_S * 1000000000ull;
    while (!came) {
      if (!peer_read(peer, look) || closed) return false;
      if (!came && now_ns() > late) fail("no answer to frame %zu of the opening", i + 1);
    }
  }
  return true;
}
