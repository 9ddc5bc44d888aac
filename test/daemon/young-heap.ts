// Makes a good deal of garbage of which some lives on, as loading a program does, and prints the size of the young
// generation in bytes; with `sized` in the heap of a daemon.
import { getHeapSpaceStatistics } from 'node:v8';
import { sizeHeap } from '../../src/daemon/heap-size.ts';

if (process.argv[2] === 'sized') sizeHeap();
const kept: object[][] = [];
for (let round = 0; round < 200; round += 1) {
  kept.push(Array.from({ length: 5_000 }, (_, index) => ({ index })));
  if (kept.length > 20) kept.shift();
}
const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
process.stdout.write(`${young?.space_size}`);
