// What the command line says; main.c has the words.
#ifndef OPTIONS_H
#define OPTIONS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct options {
  const char *mode, *path, *opening, *request, *trigger, *event;
  size_t connections, count, window, warm;
  uint64_t warm_ms, measure_ms, every_us, again_ms;
  pid_t pid;
};

int run_load(const struct options *options);
int run_connect(const struct options *options);
int run_rest(const struct options *options);
int run_fanout(const struct options *options);
int run_slices(const struct options *options);
#endif
