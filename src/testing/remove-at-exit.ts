import { rmSync } from 'node:fs';

/**
 * Function that removes the folders. The process references it in its list of listeners, which serves as its storage.
 */
interface Remover {
  (): void;
  readonly foldersToRemove: Set<string>;
}

/**
 * Removes a folder with its contents when the process ends, or at once when the returned function is called. All
 * folders share one listener, because Node warns of many listeners.
 */
export function removeAtExit(folder: string): () => void {
  remover().foldersToRemove.add(folder);
  return () => {
    const found = process.listeners('exit').find(isRemover);
    found?.foldersToRemove.delete(folder);
    if (found?.foldersToRemove.size === 0) process.off('exit', found);
    remove(folder);
  };
}

function remover(): Remover {
  const found = process.listeners('exit').find(isRemover);
  if (found !== undefined) return found;
  const foldersToRemove = new Set<string>();
  const made = Object.assign(() => foldersToRemove.forEach(remove), { foldersToRemove });
  process.on('exit', made);
  return made;
}

function isRemover(listener: object): listener is Remover {
  return 'foldersToRemove' in listener;
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
