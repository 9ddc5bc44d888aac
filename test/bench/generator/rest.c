// rest: connections that say nothing more. A line on stdout once all are there; ends when stdin does.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "figures.h"
#include "options.h"
#include "peer.h"

int run_rest(const struct options *options) {
  struct script opening = read_script(options->opening);
  struct peer *peers = calloc(options->count, sizeof *peers);
  if (peers == NULL) fail("out of memory");
  for (size_t n = 0; n < options->count; n++)
    if (!peer_open(&peers[n], options->path, &opening)) fail("connection %zu was refused", n + 1);
  printf("{\"resting\":%zu}\n", options->count);
  fflush(stdout);
  char byte;
  while (read(STDIN_FILENO, &byte, 1) > 0) {
  }
  return 0;
}
