const DESCRIPTIONS: Readonly<Record<string, string>> = {
  EACCES: 'it may not be opened',
  ECONNREFUSED: 'nobody listens there',
  EIO: 'the device failed',
  EISDIR: 'it is a folder',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
  ENOENT: 'there is no such file or folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'what is above it is no folder',
  ENXIO: 'nobody is at the other end',
  EROFS: 'its disk can only be read',
};

/** Description of a failed system call, with its code. */
export function describeSystemError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  if (code === undefined) return error instanceof Error ? error.message : String(error);
  return describeErrorCode(code);
}

/** Description of an error code. */
export function describeErrorCode(code: string): string {
  const description = Object.hasOwn(DESCRIPTIONS, code) ? DESCRIPTIONS[code] : undefined;
  return description === undefined ? code : `${description} (${code})`;
}
