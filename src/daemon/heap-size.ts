import { setFlagsFromString } from 'node:v8';

/** How far the heap may grow beyond what was alive at the last full collection (percent). */
const GROWTH_PERCENT = 30;

/**
 * Of Node's modules those that a bridge needs to listen; `node:cluster` and `node:dns` are what `listen` asks for. Node has
 * its own modules compiled, and V8 takes that only as long as its flags are what they were: loaded after a change, a module
 * takes a start several times as long.
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
 * Sizes the heap of a process that goes on for long; to be called before anything of ours is loaded.
 *
 * The young generation stays at the 1 MB that it begins with: loading the program would make it four times that for good,
 * and a collection then takes 0.3 ms of somebody's request instead of 0.1, at the same processor time in all. V8 sets the
 * factor to 2 at least when it starts, and not after that.
 *
 * The old one is collected earlier than V8 would: left to itself it lets a small heap grow to four times what is alive, and
 * a program that connects again and again would make us look as if we leaked.
 */
export function sizeHeap(): void {
  for (const name of NEEDED) process.getBuiltinModule(`node:${name}`);
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
