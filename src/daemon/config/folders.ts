import envPaths from 'env-paths';
import type { Folders } from './settings.ts';

/** Folders in which the operating system stores an application's files, from this process's environment. */
export function applicationFolders(): Folders & { readonly log: string } {
  const { config, data, log } = envPaths('footbridge', { suffix: '' });
  return { config, data, log };
}
