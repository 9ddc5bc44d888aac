import { runMain } from './bundle.ts';

// The command line from the sources; dist/ starts with boot/footbridge.ts instead.
process.exitCode = await runMain(process.argv.slice(2));
