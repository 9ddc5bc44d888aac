#include "figures.h"

#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t clock_ns(clockid_t clock) {
  struct timespec at;
  clock_gettime(clock, &at);
  return (uint64_t)at.tv_sec * 1000000000u + (uint64_t)at.tv_nsec;
}

uint64_t now_ns(void) { return clock_ns(CLOCK_MONOTONIC); }

uint64_t own_cpu_ns(void) { return clock_ns(CLOCK_PROCESS_CPUTIME_ID); }

// The first number of a thread's schedstat is the nanoseconds it has run.
uint64_t process_cpu_ns(pid_t pid) {
  char path[320];
  snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
  DIR *tasks = pid > 0 ? opendir(path) : NULL;
  if (tasks == NULL) return 0;
  uint64_t sum = 0;
  for (struct dirent *entry; (entry = readdir(tasks)) != NULL;) {
    if (entry->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "/proc/%d/task/%s/schedstat", (int)pid, entry->d_name);
    FILE *file = fopen(path, "r");
    uint64_t ran = 0;
    if (file == NULL) continue;
    if (fscanf(file, "%" SCNu64, &ran) == 1) sum += ran;
    fclose(file);
  }
  closedir(tasks);
  return sum;
}

void times_add(struct times *times, uint64_t ns) {
  if (times->count == times->room) {
    times->room = times->room == 0 ? 65536 : times->room * 2;
    times->list = realloc(times->list, times->room * sizeof *times->list);
    if (times->list == NULL) fail("out of memory");
  }
  times->list[times->count++] = ns;
}

static int ascending(const void *one, const void *two) {
  uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)two;
  return (a > b) - (a < b);
}

void times_sort(struct times *times) {
  if (times->count > 0) qsort(times->list, times->count, sizeof *times->list, ascending);
}

double times_at(const struct times *times, double percent) {
  if (times->count == 0) return 0;
  // Rounded first: 99.9 % of 1,000 is the 999th, and not what 999.0000000000001 rounds up to.
  double place = ceil(round((double)times->count * percent * 1000) / 100000);
  size_t index = place < 1 ? 0 : (size_t)place - 1;
  return (double)times->list[index < times->count ? index : times->count - 1] / 1000;
}

void times_print(struct times *times) {
  times_sort(times);
  printf("\"count\":%zu,\"p50\":%.2f,\"p99\":%.2f,\"p999\":%.2f,\"max\":%.2f", times->count, times_at(times, 50),
         times_at(times, 99), times_at(times, 99.9), times_at(times, 100));
}

void fail(const char *format, ...) {
  va_list values;
  va_start(values, format);
  fputs("generator: ", stderr);
  vfprintf(stderr, format, values);
  fputc('\n', stderr);
  va_end(values);
  exit(1);
}
