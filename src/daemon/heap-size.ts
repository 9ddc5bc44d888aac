import { setFlagsFromString } from 'node:v8';

/**
 * Growth of the heap beyond the live size after the last full collection (percent). With 30, collections of the whole
 * heap take twice the time, and with 100 a bridge under load has 12 MB more.
 */
const GROWTH_PERCENT = 50;

/**
 * Modules of Node that a bridge needs to listen; `listen` loads `node:cluster` and `node:dns`. Node contains compiled
 * code of its own modules, which V8 accepts only while its flags are unchanged: a module that loads after a change
 * makes a start several times slower.
 */
const NEEDED = [
  'cluster',
  'dns',
  'fs/promises',
  'module',
  'net',
  'os',
  'perf_hooks',
  'process',
  'timers/promises',
  'tty',
  'vm',
];

/**
 * Sizes the heap of a long-running process; call it before any module of ours loads. The young generation stays at its
 * initial 1 MB until the start is over: loading the program would make it up to 16 times that for good, and the memory
 * of the process with it. Afterwards it is enlarged to a measured size. V8 raises the growth factor to 2 or more only
 * when it starts, so the factor 1 is set afterwards. The old generation is collected earlier than V8 would: by default
 * V8 lets a small heap grow to four times its live size, and a program that reconnects in a loop would make the bridge
 * look as if it leaked.
 */
export function sizeHeap(): void {
  for (const name of NEEDED) process.getBuiltinModule(`node:${name}`);
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
