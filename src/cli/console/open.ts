import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writePrivateFile } from '../../../platform/files/private-file.ts';
import { openFile } from '../../../platform/process/open-file.ts';
import { systemErrorText } from '../../../platform/system-error-text.ts';
import { findControl } from '../../control/address.ts';
import { applicationFolders } from '../../daemon/config/folders.ts';
import type { Io } from '../../daemon/io.ts';
import { currentHost } from '../daemon-client.ts';

/** Attempt to open the console in a browser. */
export interface Opening {
  /** Reason why no browser was started. */
  readonly failure: string | undefined;
  /** Removes the file that was passed to the browser. */
  clear(): void;
}

/**
 * Opens a one-time address in the user's browser. The address is not an argument of the browser, because on some
 * systems all users see the arguments of a program, and the browser starts further programs; the browser gets the path
 * of a redirecting file that only this user can read.
 */
export async function openAddress(address: string, name: string, io: Io): Promise<Opening> {
  const host = currentHost();
  const folder = host.uid === undefined ? applicationFolders().data : dirname(findControl(host, io.env));
  const path = join(folder, `${name}.html`);
  const clear = (): void => rmSync(path, { force: true });
  try {
    writePrivateFile(path, leadingTo(address), { unlocked: true });
  } catch (error) {
    return { failure: `${path}: ${systemErrorText(error)}`, clear };
  }
  return { failure: await openFile(host.os, path, io.env), clear };
}

function leadingTo(address: string): string {
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url=${address}">
<title>Footbridge</title>
<p><a href="${address}">Open the console</a></p>
`;
}
