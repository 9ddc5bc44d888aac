import { spawn } from 'node:child_process';
import type { Command } from './manager.ts';

/** Starts a program that outlives us, in this environment or our own; a stand-in for tests. */
export type Launcher = (argv: Command, env?: Readonly<Record<string, string | undefined>>) => void;

/** Starts a detached program, in no folder that a user may want to remove. */
export const launchDetached: Launcher = ([file, ...args], env) => {
  const place = env === undefined ? {} : { env, cwd: '/' };
  const child = spawn(file, args, { ...place, detached: true, stdio: 'ignore', windowsHide: true });
  // The missing bridge itself reveals a missing program.
  child.on('error', () => {});
  child.unref();
};
