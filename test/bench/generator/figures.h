// Clocks, processor time and percentiles.
#ifndef FIGURES_H
#define FIGURES_H
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/** Nanoseconds of a clock that only goes forward. */
uint64_t now_ns(void);
/** Nanoseconds that all living threads of a process have run; 0 where /proc does not say. */
uint64_t process_cpu_ns(pid_t pid);
/** Nanoseconds that this process has run. */
uint64_t own_cpu_ns(void);

/** Times in ns, as many as come. */
struct times {
  uint64_t *list;
  size_t count, room;
};
void times_add(struct times *times, uint64_t ns);
/** Sorts them; call before `times_at`. */
void times_sort(struct times *times);
/** The smallest time (µs) that `percent` of all do not exceed; 0 of none. */
double times_at(const struct times *times, double percent);
/** `"count":…,"p50":…,"p99":…,"p999":…,"max":…` in µs, on stdout; sorts. */
void times_print(struct times *times);

/** Ends the program with one line. */
__attribute__((noreturn, format(printf, 1, 2))) void fail(const char *format, ...);
#endif
