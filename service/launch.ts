import { spawn } from 'node:child_process';
import type { Command } from './manager.ts';

/** Starts a program that outlives this process, in the given environment or in our own; tests replace it. */
export type Launcher = (argv: Command, env?: Readonly<Record<string, string | undefined>>) => void;

/** Starts a detached program. Its working directory is none that a user may want to remove. */
export const launchDetached: Launcher = ([file, ...args], env) => {
  const spawnOptions = env === undefined ? {} : { env, cwd: '/' };
  const child = spawn(file, args, { ...spawnOptions, detached: true, stdio: 'ignore', windowsHide: true });
  // The error is ignored, because the caller notices that the bridge is missing.
  child.on('error', () => {});
  child.unref();
};
