// The least any server of this protocol can do: each frame back as it came. `echo PATH`
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define HEADER_BYTES 8
#define CHUNK_BYTES (1u << 18)

static char chunk[2 * CHUNK_BYTES];

/** What of a peer's bytes is no whole frame yet. */
struct peer {
  int fd;
  size_t length;
  char *rest;
};

static size_t whole_frames(const char *bytes, size_t length) {
  size_t at = 0;
  for (;;) {
    uint32_t body;
    if (length - at < HEADER_BYTES) return at;
    memcpy(&body, bytes + at + 4, 4);
    if (length - at - HEADER_BYTES < body) return at;
    at += HEADER_BYTES + body;
  }
}

/** Writes all of it; a peer that does not read holds up the others, which is no concern of a yardstick. */
static int write_all(int fd, const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t wrote = write(fd, bytes, length);
    if (wrote < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (wrote < 0) return -1;
    bytes += wrote;
    length -= (size_t)wrote;
  }
  return 0;
}

static int serve(struct peer *peer) {
  if (peer->length > 0) memcpy(chunk, peer->rest, peer->length);
  ssize_t got = read(peer->fd, chunk + peer->length, CHUNK_BYTES);
  if (got < 0 && errno == EAGAIN) return 0;
  if (got <= 0) return -1;
  size_t length = peer->length + (size_t)got, whole = whole_frames(chunk, length);
  if (write_all(peer->fd, chunk, whole) != 0) return -1;
  peer->length = length - whole;
  if (peer->length > CHUNK_BYTES) return -1;
  if (peer->length > 0) {
    if (peer->rest == NULL) peer->rest = malloc(CHUNK_BYTES);
    if (peer->rest == NULL) return -1;
    memcpy(peer->rest, chunk + whole, peer->length);
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 2) return 64;
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  signal(SIGPIPE, SIG_IGN);
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(argv[1]) >= sizeof address.sun_path) return 64;
  strcpy(address.sun_path, argv[1]);
  int door = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0), epoll = epoll_create1(0);
  if (bind(door, (struct sockaddr *)&address, sizeof address) != 0 || listen(door, 511) != 0) return 1;
  struct epoll_event look = {.events = EPOLLIN, .data.ptr = NULL}, ready[256];
  epoll_ctl(epoll, EPOLL_CTL_ADD, door, &look);
  for (;;) {
    int found = epoll_wait(epoll, ready, 256, -1);
    for (int i = 0; i < found; i++) {
      struct peer *peer = ready[i].data.ptr;
      if (peer == NULL) {
        int fd = accept4(door, NULL, NULL, SOCK_NONBLOCK);
        if (fd < 0) continue;
        peer = calloc(1, sizeof *peer);
        if (peer == NULL) return 1;
        peer->fd = fd;
        look.data.ptr = peer;
        epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &look);
      } else if (serve(peer) != 0) {
        close(peer->fd);
        free(peer->rest);
        free(peer);
      }
    }
  }
}
