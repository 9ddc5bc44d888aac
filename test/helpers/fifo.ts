import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { onTestFinished } from 'vitest';

/** Makes a FIFO that somebody has open and never writes to, until the test ends. */
export function silentFifo(path: string): void {
  execFileSync('mkfifo', [path]);
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  onTestFinished(() => closeSync(fd));
}
