// Stands in for platform/native/library-file.ts in the single executable, where nothing lies beside the program.
import { getRawAsset } from 'node:sea';
import { type ForeignLibrary, libraryFromBytes } from '../../platform/native/library-file.ts';

import { applicationFolders } from '../daemon/config/folders.ts';

/** koffi's native part out of the executable; throws when there is none in it. */
export function libraryBeside(): ForeignLibrary {
  // Raw: a copy of it would stay in memory for as long as we run.
  const asset = getRawAsset('koffi.node') as ArrayBuffer;
  return libraryFromBytes(new Uint8Array(asset), applicationFolders().data, process.getuid?.() ?? -1);
}
