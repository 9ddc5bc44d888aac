// Stands in for the package koffi in the single executable, where nothing lies beside the program.
import { getRawAsset } from 'node:sea';
import { libraryFromBytes } from '../../../platform/library-file.ts';
import { applicationFolders } from '../config/folders.ts';

const { load, errno } = libraryFromBytes(
  new Uint8Array(getRawAsset('koffi.node')),
  applicationFolders().data,
  process.getuid?.() ?? -1,
);

export { errno, load };
