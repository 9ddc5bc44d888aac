// Stands in for the package koffi in the single executable, where nothing lies beside the program.
import { getRawAsset } from 'node:sea';
import { libraryFromBytes } from '../../../platform/library-file.ts';
import { applicationFolders } from '../config/folders.ts';

// Raw: a copy of it would stay in memory for as long as we run.
const asset = getRawAsset('koffi.node') as ArrayBuffer;
const { data } = applicationFolders();
const library = libraryFromBytes(new Uint8Array(asset), data, process.getuid?.() ?? -1);

export const load: typeof library.load = (path) => library.load(path);
export const errno: typeof library.errno = () => library.errno();
