import { spawn } from 'node:child_process';
import type { Command } from './manager.ts';

/** Starts a program that outlives us, in this environment or our own; a stand-in for tests. */
export type Launcher = (argv: Command, env?: Readonly<Record<string, string | undefined>>) => void;

/** Starts a program of its own, in no folder that somebody may want to take away. */
export const launchDetached: Launcher = ([file, ...args], env) => {
  const place = env === undefined ? {} : { env, cwd: '/' };
  const child = spawn(file, args, { ...place, detached: true, stdio: 'ignore', windowsHide: true });
  // A program that is not there shows in that no bridge runs.
  child.on('error', () => {});
  child.unref();
};
