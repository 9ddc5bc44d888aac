/** Ends of names by what files with them are taken for. Which ends a group has is not published. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  image: ['.apng', '.avif', '.bmp', '.gif', '.heic', '.jpeg', '.jpg', '.png', '.svg', '.tiff', '.webp'],
  video: ['.avi', '.m4v', '.mkv', '.mov', '.mp4', '.mpeg', '.mpg', '.webm'],
  audio: ['.aac', '.flac', '.m4a', '.mp3', '.oga', '.ogg', '.opus', '.wav', '.wma'],
};

/** Whether a file is one of these, groups or ends in lower case, by the end of its name; none take every file. */
export function takesFile(types: readonly string[], filename: string): boolean {
  const name = filename.toLowerCase();
  return (
    types.length === 0 || types.some((type) => (GROUPS[type] ?? [type]).some((end) => name.endsWith(end)))
  );
}
