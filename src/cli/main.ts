#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';

// Loading some thirty files is enough to make V8 optimize Node's path functions, which pages in a whole compiler:
// 3.5 MiB that an idle daemon never needs again. What is really hot is optimized all the same, a little later.
setFlagsFromString('--interrupt-budget=1000000');

const [{ runProgram }, { commandTable }, { processIo }] = await Promise.all([
  import('./program.ts'),
  import('./table.ts'),
  import('./io.ts'),
]);

// Natural exit: what was written to a slow pipe still gets out.
process.exitCode = await runProgram(process.argv.slice(2), commandTable, processIo());
