// Where the single executable starts. It is CommonJS, which Node 20 demands, and so has no top-level await.
import { processIo } from '../io.ts';
import { runProgram } from '../program.ts';
import { commandTable } from '../table.ts';

// Natural exit: what was written to a slow pipe still gets out.
void runProgram(process.argv.slice(2), commandTable, processIo()).then((code) => {
  process.exitCode = code;
});
