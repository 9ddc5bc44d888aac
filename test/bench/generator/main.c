// Speaks the framed protocol as fast as a server answers, and says what it saw as one line of JSON. It parses nothing it
// need not: requests are made once, a reply is known by its nonce.
//
//   generator load     requests on open connections: latencies, throughput, processor time of both
//   generator connect  connect to READY, one connection after the other
//   generator rest     connections that say nothing more, until stdin ends
//   generator fanout   one event to many subscribers: time until the last has it
//   generator slices   so many requests or connections as each line of stdin says: processor time of the server
//
// A file of frames has one a line: the opcode, a blank, the body. `--opening` is what each connection begins with; one
// frame is awaited after each, the one with its nonce if it has one. In the bodies of `--request`, which take turns, the
// nonce must be 0000000000: its digits are counted up.
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "figures.h"
#include "options.h"

static uint64_t number(const char *name, const char *text) {
  char *end;
  errno = 0;
  unsigned long long value = strtoull(text, &end, 10);
  if (errno != 0 || *end != '\0' || *text == '-' || *text == '\0') fail("--%s: not a number: %s", name, text);
  return value;
}

static void as_many_files_as_allowed(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

int main(int argc, char **argv) {
  static const struct option words[] = {
      {"path", required_argument, NULL, 0},        {"opening", required_argument, NULL, 0},
      {"request", required_argument, NULL, 0},     {"trigger", required_argument, NULL, 0},
      {"event", required_argument, NULL, 0},       {"connections", required_argument, NULL, 0},
      {"count", required_argument, NULL, 0},       {"window", required_argument, NULL, 0},
      {"warm", required_argument, NULL, 0},        {"warm-ms", required_argument, NULL, 0},
      {"measure-ms", required_argument, NULL, 0},  {"every-us", required_argument, NULL, 0},
      {"again-ms", required_argument, NULL, 0},    {"pid", required_argument, NULL, 0},
      {NULL, 0, NULL, 0},
  };
  struct options options = {.mode = argc > 1 ? argv[1] : "", .connections = 1, .window = 1, .count = 1};
  int at = 0;
  for (int found; (found = getopt_long(argc - 1, argv + 1, "", words, &at)) != -1;) {
    if (found != 0) return 64;
    const char *name = words[at].name;
    if (strcmp(name, "path") == 0) options.path = optarg;
    else if (strcmp(name, "opening") == 0) options.opening = optarg;
    else if (strcmp(name, "request") == 0) options.request = optarg;
    else if (strcmp(name, "trigger") == 0) options.trigger = optarg;
    else if (strcmp(name, "event") == 0) options.event = optarg;
    else if (strcmp(name, "connections") == 0) options.connections = number(name, optarg);
    else if (strcmp(name, "count") == 0) options.count = number(name, optarg);
    else if (strcmp(name, "window") == 0) options.window = number(name, optarg);
    else if (strcmp(name, "warm") == 0) options.warm = number(name, optarg);
    else if (strcmp(name, "warm-ms") == 0) options.warm_ms = number(name, optarg);
    else if (strcmp(name, "measure-ms") == 0) options.measure_ms = number(name, optarg);
    else if (strcmp(name, "every-us") == 0) options.every_us = number(name, optarg);
    else if (strcmp(name, "again-ms") == 0) options.again_ms = number(name, optarg);
    else options.pid = (pid_t)number(name, optarg);
  }
  if (options.path == NULL || options.opening == NULL) fail("--path and --opening are needed");
  signal(SIGPIPE, SIG_IGN);
  as_many_files_as_allowed();
  if (strcmp(options.mode, "load") == 0) return run_load(&options);
  if (strcmp(options.mode, "connect") == 0) return run_connect(&options);
  if (strcmp(options.mode, "rest") == 0) return run_rest(&options);
  if (strcmp(options.mode, "fanout") == 0) return run_fanout(&options);
  if (strcmp(options.mode, "slices") == 0) return run_slices(&options);
  fail("no such mode: %s", options.mode);
}
