#!/usr/bin/env node
import { processIo } from './io.ts';
import { runProgram } from './program.ts';
import { commandTable } from './table.ts';

// Natural exit: what was written to a slow pipe still gets out.
process.exitCode = await runProgram(process.argv.slice(2), commandTable, processIo());
