// load: connections that each keep `--window` requests in flight, or as many as the socket takes with --window 0, one
// every --every-us with that. Measures for --measure-ms after --warm-ms, or until SIGTERM without it.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>

#include "figures.h"
#include "options.h"
#include "peer.h"

#define SLOTS 65536
#define BATCH_BYTES 65536
/** A batch is as large as a window of small frames, and holds one frame of any size. */
static char *batch;
static size_t batch_room;

static const struct options *opts;
static struct script opening, request;
static int epoll;
static volatile sig_atomic_t stopped;

/** When each of the last requests was sent; a reply finds its own by the nonce. */
static struct {
  uint64_t nonce, at;
} slots[SLOTS];
static uint64_t nonces;
static struct {
  uint64_t sent, answered, errors, wrong, closed;
} counts;
static struct times times;

static void stop(int signal) {
  (void)signal;
  stopped = 1;
}

static void heard(struct peer *peer, const struct reply *reply) {
  if (reply->opcode != FRAME) return;
  uint64_t nonce = nonce_of(reply);
  // An event, or a reply to the opening.
  if (nonce == UINT64_MAX) return;
  uint64_t now = now_ns();
  if (peer->in_flight > 0) peer->in_flight -= 1;
  if (opts->window > 0) {
    if (slots[nonce % SLOTS].nonce != nonce) {
      counts.wrong += 1;
      return;
    }
    slots[nonce % SLOTS].nonce = 0;
    times_add(&times, now - slots[nonce % SLOTS].at);
  }
  counts.answered += 1;
  if (holds(reply, "\"evt\":\"ERROR\"")) counts.errors += 1;
}

static size_t append(size_t length) {
  const struct frame *frame = &request.frames[nonces++ % request.count];
  memcpy(batch + length, frame->bytes, frame->length);
  set_nonce(batch + length, frame, nonces);
  slots[nonces % SLOTS].nonce = nonces;
  slots[nonces % SLOTS].at = now_ns();
  counts.sent += 1;
  return length + frame->length;
}

/** Sends what the window has room for; false when the connection has ended. */
static bool pump(struct peer *peer) {
  if (opts->every_us > 0) {
    uint64_t now = now_ns();
    if (peer->in_flight > 0 || now < peer->due) return true;
    peer->due = now + opts->every_us * 1000;
  }
  while (peer->unsent_length == 0 && (opts->window == 0 || peer->in_flight < opts->window)) {
    size_t length = 0;
    do {
      length = append(length);
      peer->in_flight += 1;
    } while (length < BATCH_BYTES && (opts->window == 0 || peer->in_flight < opts->window));
    if (!peer_write(peer, batch, length)) return false;
    // Whoever sends without end still has to read in between.
    if (opts->window == 0) return true;
  }
  return true;
}

static bool flush(struct peer *peer) {
  char *bytes = peer->unsent;
  size_t length = peer->unsent_length;
  peer->unsent = NULL;
  peer->unsent_length = 0;
  bool alive = length == 0 || peer_write(peer, bytes, length);
  free(bytes);
  return alive;
}

static void watch(struct peer *peer, int how) {
  uint32_t events = EPOLLIN | (opts->window == 0 || peer->unsent_length > 0 ? (uint32_t)EPOLLOUT : 0);
  struct epoll_event look = {.events = events, .data.ptr = peer};
  if (epoll_ctl(epoll, how, peer->fd, &look) != 0) fail("epoll: %s", strerror(errno));
}

static void start(struct peer *peer) {
  while (!peer_open(peer, opts->path, &opening)) {
    peer_close(peer);
    if (opts->again_ms == 0) fail("a connection was refused");
    if (stopped) return;
    nanosleep(&(struct timespec){.tv_sec = 0, .tv_nsec = 50000000}, NULL);
  }
  peer_unblock(peer);
  watch(peer, EPOLL_CTL_ADD);
}

static void work(struct peer *peer, uint32_t events) {
  bool had = peer->unsent_length > 0;
  bool alive = true;
  if (events & (EPOLLIN | EPOLLHUP | EPOLLERR)) alive = peer_read(peer, heard);
  if (alive && (events & EPOLLOUT)) alive = flush(peer);
  if (alive) alive = pump(peer);
  if (!alive) {
    if (opts->again_ms == 0) fail("the server ended a connection after %llu answers", (unsigned long long)counts.answered);
    counts.closed += 1;
    peer_close(peer);
    nanosleep(&(struct timespec){.tv_sec = (time_t)(opts->again_ms / 1000), .tv_nsec = (long)(opts->again_ms % 1000) * 1000000},
              NULL);
    start(peer);
    if (peer->fd >= 0 && !pump(peer)) counts.closed += 1;
    return;
  }
  if (opts->window > 0 && had != (peer->unsent_length > 0)) watch(peer, EPOLL_CTL_MOD);
}

/** How long nothing is due (ms): until the phase ends, or a paced peer may speak. */
static int idle_ms(const struct peer *peers, uint64_t until) {
  uint64_t next = until, now = now_ns();
  if (opts->every_us > 0)
    for (size_t n = 0; n < opts->connections; n++)
      if (peers[n].in_flight == 0 && peers[n].due < next) next = peers[n].due;
  return next <= now ? 0 : (int)((next - now) / 1000000 + 1);
}

static void run_until(struct peer *peers, uint64_t until) {
  struct epoll_event ready[256];
  while (!stopped && now_ns() < until) {
    int found = epoll_wait(epoll, ready, 256, idle_ms(peers, until));
    if (found < 0 && errno != EINTR) fail("epoll: %s", strerror(errno));
    for (int i = 0; i < found; i++) work(ready[i].data.ptr, ready[i].events);
    if (opts->every_us > 0)
      for (size_t n = 0; n < opts->connections; n++) work(&peers[n], 0);
  }
}

int run_load(const struct options *options) {
  opts = options;
  if (options->request == NULL) fail("--request is needed");
  opening = read_script(options->opening);
  request = read_script(options->request);
  size_t largest = 0;
  for (size_t n = 0; n < request.count; n++)
    if (request.frames[n].length > largest) largest = request.frames[n].length;
  batch_room = BATCH_BYTES + largest;
  batch = malloc(batch_room);
  struct peer *peers = calloc(options->connections, sizeof *peers);
  if (batch == NULL || peers == NULL) fail("out of memory");
  struct sigaction end = {.sa_handler = stop};
  sigaction(SIGTERM, &end, NULL);
  epoll = epoll_create1(EPOLL_CLOEXEC);
  for (size_t n = 0; n < options->connections; n++) start(&peers[n]);
  for (size_t n = 0; n < options->connections; n++) work(&peers[n], 0);
  printf("{\"started\":%zu}\n", options->connections);
  fflush(stdout);
  run_until(peers, now_ns() + options->warm_ms * 1000000);
  memset(&counts, 0, sizeof counts);
  times.count = 0;
  uint64_t server = process_cpu_ns(options->pid), own = own_cpu_ns(), begin = now_ns();
  run_until(peers, options->measure_ms == 0 ? UINT64_MAX : begin + options->measure_ms * 1000000);
  double seconds = (double)(now_ns() - begin) / 1e9;
  double server_ms = (double)(process_cpu_ns(options->pid) - server) / 1e6, own_ms = (double)(own_cpu_ns() - own) / 1e6;
  printf("{");
  times_print(&times);
  printf(",\"sent\":%llu,\"answered\":%llu,\"errors\":%llu,\"wrong\":%llu,\"closed\":%llu,\"seconds\":%.4f,"
         "\"serverCpuMs\":%.3f,\"ownCpuMs\":%.3f}\n",
         (unsigned long long)counts.sent, (unsigned long long)counts.answered, (unsigned long long)counts.errors,
         (unsigned long long)counts.wrong, (unsigned long long)counts.closed, seconds, server_ms, own_ms);
  return 0;
}
