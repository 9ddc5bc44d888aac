// Where the single executable starts. It is CommonJS, which Node 20 demands, and so has no top-level await.
import { runMain } from '../bundle.ts';

// Natural exit: what was written to a slow pipe still gets out.
void runMain(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
