import { isLocalError, messageOf, systemCode } from '../src/base/local-error.ts';

/** Meanings of the codes of failed system calls for a file, folder or address that the user named. */
const MEANINGS: Readonly<Record<string, string>> = {
  E2BIG: 'its arguments are too long',
  EADDRINUSE: 'somebody else has it',
  EACCES: 'you may not open it',
  EBUSY: 'somebody else has it in use',
  ECONNREFUSED: 'nobody listens there',
  ECONNRESET: 'the other end hung up',
  EDQUOT: 'your share of the disk is full',
  EEXIST: 'something is there already',
  EFBIG: 'it may not become larger',
  EIO: 'the device failed',
  EISDIR: 'it is a folder',
  ELOOP: 'its links lead in a circle',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'its name is too long',
  ENFILE: 'too many files are open on this system',
  ENODEV: 'there is no such device',
  ENOENT: 'there is no such file or folder',
  ENOEXEC: 'it is no program',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'what is above it is no folder',
  ENXIO: 'nobody is at the other end',
  EPERM: 'the system does not allow it',
  EROFS: 'its disk can only be read',
};

/**
 * Describes why a system call failed, with the code of the error; for any other error returns its own message, without
 * the full stop at its end.
 */
export function systemErrorText(error: unknown): string {
  const code = systemCode(error);
  // Our own codes mean nothing to a reader.
  if (code === undefined || isLocalError(error)) return messageOf(error).replace(/\.$/, '');
  return systemCodeText(code);
}

/** The same for the code alone. */
export function systemCodeText(code: string): string {
  const meaning = Object.hasOwn(MEANINGS, code) ? MEANINGS[code] : undefined;
  return meaning === undefined ? code : `${meaning} (${code})`;
}
