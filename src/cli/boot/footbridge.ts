#!/usr/bin/env node
import { loadProgram } from './load.ts';

const { program } = loadProgram(import.meta.url, (specifier) => import(specifier));
// Natural exit: what was written to a slow pipe still gets out.
process.exitCode = await program.runMain(process.argv.slice(2));
