// Makes a good deal of garbage of which some lives on, as loading a program does, and prints the size of the young
// generation in bytes; with `sized` in the heap of a daemon, with `grown` in that of a daemon whose start is over.
import { setTimeout as sleep } from 'node:timers/promises';
import { collector } from '../../src/daemon/collect.ts';
import { sizeHeap } from '../../src/daemon/heap-size.ts';
import { growYoungGeneration, youngGeneration } from '../../src/daemon/young-generation.ts';

const [, , heap] = process.argv;
if (heap !== undefined) sizeHeap();
const young = youngGeneration(collector());

function makeGarbage(): void {
  const kept: object[][] = [];
  for (let round = 0; round < 200; round += 1) {
    kept.push(Array.from({ length: 5_000 }, (_, index) => ({ index })));
    if (kept.length > 20) kept.shift();
  }
}

makeGarbage();
if (heap === 'grown') {
  const initial = young.size();
  growYoungGeneration(young);
  while (young.size() < 4 * initial) await sleep(20);
  makeGarbage();
}
process.stdout.write(`${young.size()}`);
