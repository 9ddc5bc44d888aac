// Replaces platform/native/library-file.ts in the single executable, which has no files beside it.
import { getRawAsset } from 'node:sea';
import { type ForeignLibrary, libraryFromBytes } from '../../platform/native/library-file.ts';

import { applicationFolders } from '../daemon/config/folders.ts';

/** koffi's native part from the executable; throws when the executable contains none. */
export function libraryBeside(): ForeignLibrary {
  // The raw asset is a view of the executable: a copy would stay in memory for the life of the process.
  const asset = getRawAsset('koffi.node') as ArrayBuffer;
  return libraryFromBytes(new Uint8Array(asset), applicationFolders().data, process.getuid?.() ?? -1);
}
