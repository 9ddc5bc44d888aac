/* Figures of footbridge.h beside the same work without it. Arguments: endpoint, application id, number of connections. Prints
 * one JSON object. */
#define FB_IMPLEMENTATION
#include "../../src/native/footbridge.h"

#include <stdlib.h>

static size_t used, most;

/** Counts what a client has of the heap. */
static void *count(void *allocator, void *block, size_t size) {
  size_t *at = block == NULL ? NULL : (size_t *)block - 2;
  (void)allocator;
  if (at != NULL) used -= *at;
  if (size == 0) {
    free(at);
    return NULL;
  }
  at = (size_t *)realloc(at, size + 2 * sizeof *at);
  if (at == NULL) exit(1);
  *at = size;
  used += size;
  if (used > most) most = used;
  return at + 2;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static int compare(const void *a, const void *b) {
  double difference = *(const double *)a - *(const double *)b;
  return difference < 0 ? -1 : difference > 0;
}

static double median(double *times, int length) {
  qsort(times, (size_t)length, sizeof *times, compare);
  return times[length / 2];
}

/** The server ends the last connection meanwhile. */
static void rest(void) {
  struct timespec time = {0, 2000000};
  nanosleep(&time, NULL);
}

/** From connect() to the end of READY, with nothing but system calls. */
static double bare(const char *path, const char *app) {
  static char bytes[1 << 16];
  struct sockaddr_un address;
  char hello[128];
  uint32_t length = 0;
  size_t have = 0;
  double begun = now(), taken;
  int fd = socket(AF_UNIX, SOCK_STREAM, 0), size;
  memset(&address, 0, sizeof address);
  address.sun_family = AF_UNIX;
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0) exit(1);
  size = snprintf(hello + 8, sizeof hello - 8, "{\"v\":1,\"client_id\":\"%s\"}", app);
  memset(hello, 0, 8);
  hello[4] = (char)size;
  if (write(fd, hello, (size_t)size + 8) < 0) exit(1);
  while (have < 8 || have < 8 + length) {
    ssize_t got = read(fd, bytes + have, sizeof bytes - have);
    if (got <= 0) exit(1);
    have += (size_t)got;
    if (have >= 8) memcpy(&length, bytes + 4, 4);
  }
  taken = now() - begun;
  close(fd);
  return taken;
}

static fb_client *ready(const char *path, const char *app) {
  fb_options options;
  fb_client *client;
  memset(&options, 0, sizeof options);
  options.client_id = app;
  options.endpoint = path;
  options.allocate = count;
  if (fb_open(&options, &client) != FB_OK) exit(1);
  while (fb_state_of(client) != FB_STATE_READY)
    if (fb_poll(client, -1) < 0) exit(1);
  return client;
}

int main(int arguments, char **argument) {
  enum { MOST = 5000, POLLS = 200000 };
  static double without[MOST], with[MOST];
  const char *path = argument[1], *app = argument[2];
  int connections, i, turn;
  double begun, polls[5], calls[5];
  fb_client *client;
  char byte;
  if (arguments != 4) return 2;
  connections = atoi(argument[3]);
  if (connections < 1 || connections > MOST) return 2;
  for (i = 0; i < connections; i++) {
    rest();
    without[i] = bare(path, app);
    rest();
    begun = now();
    client = ready(path, app);
    with[i] = now() - begun;
    fb_close(&client);
  }
  client = ready(path, app);
  for (turn = 0; turn < 5; turn++) {
    begun = now();
    for (i = 0; i < POLLS; i++) fb_poll(client, 0);
    polls[turn] = (now() - begun) / POLLS;
    begun = now();
    for (i = 0; i < POLLS; i++)
      if (recv(fb_fd(client), &byte, 1, MSG_DONTWAIT) >= 0) return 1;
    calls[turn] = (now() - begun) / POLLS;
  }
  fb_close(&client);
  printf("{\"bare\":%.2f,\"header\":%.2f,\"poll\":%.4f,\"call\":%.4f,\"heap\":%zu}\n", median(without, connections),
         median(with, connections), median(polls, 5), median(calls, 5), most);
  return 0;
}
