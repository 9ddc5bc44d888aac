import { closeSync, openSync, readlinkSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { printable } from '../../src/base/text.ts';
import { scriptOf } from './script.ts';

/** Maximum length of each part of a name (characters). */
const MAX_PART = 64;

/** Maximum of arguments that are read (bytes). */
const MAX_ARGUMENTS_BYTES = 4096;

/**
 * Name of the program in a process: the name of its executable, and the script of an interpreter, such as `node
 * app.mjs`. Python's executable is named `python3`, without the minor version. `exe` is the path of the executable.
 */
export function programName(pid: number, exe: string): string {
  const file = basename(exe);
  const script = scriptOf(file, () => readArguments(pid));
  const name = file.replace(/^(python\d)\.\d+$/, '$1');
  return [name, ...(script === undefined ? [] : [script])]
    .map((part) => printable(part.length > MAX_PART ? `${part.slice(0, MAX_PART)}…` : part))
    .join(' ');
}

/**
 * The first arguments of a process. Empty for a process in a mount namespace of its own: its arguments lie in its
 * memory, and a program in a sandbox may have put memory there whose pages never arrive.
 */
function readArguments(pid: number): readonly string[] {
  try {
    const namespace = readlinkSync(`/proc/${pid}/ns/mnt`);
    if (namespace !== readlinkSync('/proc/self/ns/mnt')) return [];
    const file = openSync(`/proc/${pid}/cmdline`, 'r');
    try {
      const buffer = Buffer.alloc(MAX_ARGUMENTS_BYTES);
      const words = buffer.toString('utf8', 0, readSync(file, buffer)).split('\0');
      // The last word is empty, or was cut.
      return words.slice(0, -1);
    } finally {
      closeSync(file);
    }
  } catch {
    return [];
  }
}
