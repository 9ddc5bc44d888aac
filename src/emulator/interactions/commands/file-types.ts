/** Extensions of each group of file types. The platform does not publish them. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  image: [
    '.apng',
    '.avif',
    '.bmp',
    '.gif',
    '.heic',
    '.heif',
    '.jpeg',
    '.jpg',
    '.png',
    '.svg',
    '.tif',
    '.tiff',
    '.webp',
  ],
  video: ['.avi', '.m4v', '.mkv', '.mov', '.mp4', '.mpeg', '.mpg', '.ogv', '.webm'],
  audio: ['.aac', '.aiff', '.flac', '.m4a', '.mp3', '.oga', '.ogg', '.opus', '.wav', '.wma'],
};

/** Maximum number of entries in a list of file types. */
export const MAX_FILE_TYPES = 10;

/** Stored form of a file type: lower case. */
export function normalFileType(written: string): string {
  return written.toLowerCase();
}

/** Whether a text is a file type: a group (`image`, `video`, `audio`) or an extension such as `.pdf`. */
export function isFileType(written: string): boolean {
  const type = normalFileType(written);
  return Object.hasOwn(GROUPS, type) || /^\.[a-z0-9][a-z0-9._+-]{0,30}$/.test(type);
}

/** Whether the file types allow a file, which depends only on its extension. */
export function takesFile(types: readonly string[] | undefined, filename: string): boolean {
  if (types === undefined || types.length === 0) return true;
  const name = filename.toLowerCase();
  return types.some((type) => (GROUPS[type] ?? [type]).some((end) => name.endsWith(end)));
}
