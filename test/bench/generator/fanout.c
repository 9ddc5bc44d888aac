// fanout: many subscribers and one peer whose requests cause the event; how long from the request until the last
// subscriber has read it.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include "figures.h"
#include "options.h"
#include "peer.h"

#define QUIET_MS 300
#define PATIENCE_MS 10000
#define BETWEEN_MS 20

static const char *event;
static size_t heard_of;

static void count(struct peer *peer, const struct reply *reply) {
  (void)peer;
  if (reply->opcode == CLOSE) fail("the server closes: %.*s", (int)reply->length, reply->body);
  if (holds(reply, event)) heard_of += 1;
}

static int epoll;

/** Reads whatever comes until `wanted` events are there, or for `ms` without one. */
static void listen_for(size_t wanted, int ms) {
  struct epoll_event ready[256];
  while (heard_of < wanted) {
    int found = epoll_wait(epoll, ready, 256, ms);
    if (found == 0) return;
    if (found < 0 && errno != EINTR) fail("epoll: %s", strerror(errno));
    for (int i = 0; i < found; i++)
      if (!peer_read(ready[i].data.ptr, count)) fail("the server ended a connection");
  }
}

static void watch(struct peer *peer) {
  struct epoll_event look = {.events = EPOLLIN, .data.ptr = peer};
  peer_unblock(peer);
  if (epoll_ctl(epoll, EPOLL_CTL_ADD, peer->fd, &look) != 0) fail("epoll: %s", strerror(errno));
}

int run_fanout(const struct options *options) {
  if (options->request == NULL || options->trigger == NULL || options->event == NULL)
    fail("--request, --trigger and --event are needed");
  struct script opening = read_script(options->opening), trigger = read_script(options->trigger),
                request = read_script(options->request);
  char key[128];
  snprintf(key, sizeof key, "\"evt\":\"%s\"", options->event);
  event = key;
  epoll = epoll_create1(EPOLL_CLOEXEC);
  struct peer *peers = calloc(options->connections, sizeof *peers), cause;
  for (size_t n = 0; n < options->connections; n++) {
    if (!peer_open(&peers[n], options->path, &opening)) fail("subscriber %zu was refused", n + 1);
    watch(&peers[n]);
  }
  if (!peer_open(&cause, options->path, &trigger)) fail("the connection that causes events was refused");
  watch(&cause);
  struct times times = {0};
  uint64_t server = 0, own = 0, busy = 0;
  for (size_t n = 0; n < options->warm + options->count; n++) {
    // What is still under way is no part of the next one.
    listen_for(SIZE_MAX, n == 0 ? QUIET_MS : BETWEEN_MS);
    if (n == options->warm) {
      server = process_cpu_ns(options->pid);
      own = own_cpu_ns();
    }
    const struct frame *frame = &request.frames[n % request.count];
    set_nonce(frame->bytes, frame, n + 1);
    heard_of = 0;
    uint64_t begin = now_ns();
    if (!peer_write(&cause, frame->bytes, frame->length)) fail("the server ended a connection");
    listen_for(options->connections, PATIENCE_MS);
    uint64_t took = now_ns() - begin;
    if (heard_of < options->connections) fail("the event reached %zu of %zu", heard_of, options->connections);
    if (n >= options->warm) {
      times_add(&times, took);
      busy += took;
    }
  }
  printf("{");
  times_print(&times);
  printf(",\"refused\":0,\"seconds\":%.4f,\"serverCpuMs\":%.3f,\"ownCpuMs\":%.3f}\n", (double)busy / 1e9,
         (double)(process_cpu_ns(options->pid) - server) / 1e6, (double)(own_cpu_ns() - own) / 1e6);
  return 0;
}
