#!/usr/bin/env node
// Entry of the program: as dist/footbridge.js, from the sources, and in the single executable, which is CommonJS and so
// has no top-level await. The program loads nothing else until the inspector is closed, and then only the modules of
// the command.
import { sizeHeap } from '../daemon/heap-size.ts';
import { endWhileLoading } from './end-while-loading.ts';
import { keepInspectorClosed } from './inspector.ts';

const argv = process.argv.slice(2);
if (argv[0] === 'run') endWhileLoading();
void keepInspectorClosed()
  .then(async () => {
    if (argv[0] === 'run') sizeHeap();
    const { runMain } = argv[0] === 'run' ? await import('./bridge.ts') : await import('./command-line.ts');
    return runMain(argv);
  })
  .then((code) => {
    // The process ends by itself instead of by `process.exit`, so that output to a slow pipe is still delivered.
    process.exitCode = code;
  });
