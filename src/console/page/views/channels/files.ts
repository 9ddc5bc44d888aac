/** A file as operations take it. */
export interface EncodedFile {
  readonly filename: string;
  readonly content_type?: string;
  readonly data: string;
}

/** Number of bytes that become characters at once: a call takes a limited number of arguments. */
const PART = 8192;

/** Reads a file and encodes it in base64. */
export async function encoded(file: File): Promise<EncodedFile> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += PART)
    text += String.fromCharCode(...bytes.subarray(at, at + PART));
  return {
    filename: file.name,
    ...(file.type === '' ? {} : { content_type: file.type }),
    data: btoa(text),
  };
}
