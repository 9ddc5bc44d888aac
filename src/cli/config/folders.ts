import envPaths from 'env-paths';
import type { Folders } from './settings.ts';

/** Where the operating system keeps an application's configuration and data, from this process's environment. */
export function applicationFolders(): Folders {
  const { config, data } = envPaths('footbridge', { suffix: '' });
  return { config, data };
}
