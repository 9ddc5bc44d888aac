/** What a file may be taken for: an end that one of these has. Which ends a group has is not published. */
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

/** Most entries of a list of file types. */
export const MOST_FILE_TYPES = 10;

/** One as it is kept: in lower case. */
export function normalFileType(written: string): string {
  return written.toLowerCase();
}

/** Whether a text names files: a group (`image`, `video`, `audio`) or an end such as `.pdf`. */
export function isFileType(written: string): boolean {
  const type = normalFileType(written);
  return Object.hasOwn(GROUPS, type) || /^\.[a-z0-9][a-z0-9._+-]{0,30}$/.test(type);
}

/** Whether a file may be uploaded where only these are taken: by the end of its name, and by nothing else. */
export function takesFile(types: readonly string[] | undefined, filename: string): boolean {
  if (types === undefined || types.length === 0) return true;
  const name = filename.toLowerCase();
  return types.some((type) => (GROUPS[type] ?? [type]).some((end) => name.endsWith(end)));
}
