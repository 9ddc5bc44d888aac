#!/usr/bin/env node
// Where the program starts: as dist/footbridge.js, from the sources, and in the single executable, which is CommonJS and
// so has no top-level await. Until the inspector is closed nothing else is loaded, and then only what the command needs.
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
    // Natural exit: what was written to a slow pipe still gets out.
    process.exitCode = code;
  });
