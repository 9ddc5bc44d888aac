// slices: a number on stdin is how many requests to make; one line of JSON says what they cost the server. Nothing is sent
// between slices, so that slices of two servers can take turns. Without --request a slice is of connections, each from
// connect() until its opening is answered.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include "figures.h"
#include "options.h"
#include "peer.h"

/** A server that says nothing for so long never will. */
#define PATIENCE_MS 20000

static struct script opening, request;
static uint64_t nonces, answered, errors, wrong;
/** Requests of this slice that are not sent yet. */
static uint64_t left;
static char *batch;

static void heard(struct peer *peer, const struct reply *reply) {
  if (reply->opcode != FRAME) return;
  uint64_t nonce = nonce_of(reply);
  // An event, or a reply to the opening.
  if (nonce == UINT64_MAX) return;
  if (peer->in_flight == 0 || nonce > nonces) {
    wrong += 1;
    return;
  }
  peer->in_flight -= 1;
  answered += 1;
  if (holds(reply, "\"evt\":\"ERROR\"")) errors += 1;
}

static void send_window(struct peer *peer, size_t window) {
  size_t length = 0;
  for (; peer->in_flight < window && left > 0; left--) {
    const struct frame *frame = &request.frames[nonces++ % request.count];
    memcpy(batch + length, frame->bytes, frame->length);
    set_nonce(batch + length, frame, nonces);
    length += frame->length;
    peer->in_flight += 1;
  }
  // The socket is a blocking one: all of it is taken.
  if (length > 0 && !peer_write(peer, batch, length)) fail("the server ended a connection");
}

static void request_slice(const struct options *options, struct peer *peers, int epoll) {
  size_t active = 0;
  for (size_t n = 0; n < options->connections; n++) {
    send_window(&peers[n], options->window);
    if (peers[n].in_flight > 0) active += 1;
  }
  struct epoll_event ready[256];
  while (active > 0) {
    int found = epoll_wait(epoll, ready, 256, PATIENCE_MS);
    if (found == 0) fail("no answer for %d s, after %" PRIu64 " answers", PATIENCE_MS / 1000, answered);
    if (found < 0 && errno != EINTR) fail("epoll: %s", strerror(errno));
    for (int i = 0; i < found; i++) {
      struct peer *peer = ready[i].data.ptr;
      size_t asked = peer->in_flight;
      if (!peer_read(peer, heard)) fail("the server ended a connection after %" PRIu64 " answers", answered);
      // Between slices there is nothing to be read but events.
      if (asked == 0) continue;
      send_window(peer, options->window);
      if (peer->in_flight == 0) active -= 1;
    }
  }
}

static void connect_slice(const struct options *options) {
  for (; left > 0; left--) {
    struct peer peer;
    if (!peer_open(&peer, options->path, &opening)) errors += 1;
    peer_close(&peer);
    answered += 1;
  }
}

int run_slices(const struct options *options) {
  opening = read_script(options->opening);
  struct peer *peers = NULL;
  int epoll = -1;
  if (options->request != NULL) {
    request = read_script(options->request);
    size_t largest = 0;
    for (size_t n = 0; n < request.count; n++)
      if (request.frames[n].length > largest) largest = request.frames[n].length;
    batch = malloc(largest * (options->window + 1));
    peers = calloc(options->connections, sizeof *peers);
    if (batch == NULL || peers == NULL) fail("out of memory");
    epoll = epoll_create1(EPOLL_CLOEXEC);
    for (size_t n = 0; n < options->connections; n++) {
      if (!peer_open(&peers[n], options->path, &opening)) fail("a connection was refused");
      struct epoll_event look = {.events = EPOLLIN, .data.ptr = &peers[n]};
      if (epoll_ctl(epoll, EPOLL_CTL_ADD, peers[n].fd, &look) != 0) fail("epoll: %s", strerror(errno));
    }
  }
  printf("{\"started\":%zu}\n", options->connections);
  fflush(stdout);
  while (scanf("%" SCNu64, &left) == 1) {
    answered = errors = wrong = 0;
    uint64_t server = process_cpu_ns(options->pid), begin = now_ns();
    if (options->request != NULL) request_slice(options, peers, epoll);
    else connect_slice(options);
    printf("{\"answered\":%" PRIu64 ",\"errors\":%" PRIu64 ",\"wrong\":%" PRIu64 ",\"seconds\":%.6f,\"serverCpuMs\":%.6f}\n",
           answered, errors, wrong, (double)(now_ns() - begin) / 1e9,
           (double)(process_cpu_ns(options->pid) - server) / 1e6);
    fflush(stdout);
  }
  return 0;
}
