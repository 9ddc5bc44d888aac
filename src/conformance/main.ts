import process from 'node:process';
import { runConformance } from './run.ts';

const isTerminal = process.stderr.isTTY === true;
process.exitCode = await runConformance(process.argv.slice(2), {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  isTerminal,
  color: process.stdout.isTTY === true && (process.env['NO_COLOR'] ?? '') === '',
  env: process.env,
});
