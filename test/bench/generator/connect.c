// connect: how long from connect() until the whole opening is answered.
#include <stdio.h>

#include "figures.h"
#include "options.h"
#include "peer.h"

int run_connect(const struct options *options) {
  struct script opening = read_script(options->opening);
  struct times times = {0};
  size_t refused = 0;
  uint64_t begun = 0, server = 0, own = 0;
  for (size_t n = 0; n < options->warm + options->count; n++) {
    if (n == options->warm) {
      server = process_cpu_ns(options->pid);
      own = own_cpu_ns();
      begun = now_ns();
    }
    struct peer peer;
    uint64_t begin = now_ns();
    bool ready = peer_open(&peer, options->path, &opening);
    uint64_t took = now_ns() - begin;
    peer_close(&peer);
    if (!ready) refused += 1;
    else if (n >= options->warm) times_add(&times, took);
  }
  double seconds = (double)(now_ns() - begun) / 1e9;
  printf("{");
  times_print(&times);
  printf(",\"refused\":%zu,\"seconds\":%.4f,\"serverCpuMs\":%.3f,\"ownCpuMs\":%.3f}\n", refused, seconds,
         (double)(process_cpu_ns(options->pid) - server) / 1e6, (double)(own_cpu_ns() - own) / 1e6);
  return 0;
}
