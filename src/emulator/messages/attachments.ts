import type * as z from 'zod';
import type { AttachmentRecord } from './attachment-records.ts';
import type { attachmentShape } from './shapes.ts';

/** Says where a file can be had for a while. */
export type FileAddress = (file: AttachmentRecord) => string;

const IS_SPOILER = 1 << 3;

/** A file of a message as it is told. */
export function attachmentAnswer(
  file: AttachmentRecord,
  address: FileAddress,
): z.output<typeof attachmentShape> {
  const { id, filename, size, title, description, content_type, duration_secs, waveform, spoiler } = file;
  const url = address(file);
  return {
    id,
    filename,
    size,
    url,
    proxy_url: url,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(content_type === undefined ? {} : { content_type }),
    ...(duration_secs === undefined ? {} : { duration_secs }),
    ...(waveform === undefined ? {} : { waveform }),
    flags: spoiler ? IS_SPOILER : 0,
  };
}

type Json = Readonly<Record<string, unknown>>;

/** Embeds or components with addresses where they name a file of their message as `attachment://name`. */
export function withFiles(
  parts: readonly Json[],
  files: readonly AttachmentRecord[],
  address: FileAddress,
): readonly Json[] {
  return parts.map((part) => resolved(part, files, address) as Json);
}

const MEDIA = ['media', 'file', 'image', 'thumbnail'];

function resolved(value: unknown, files: readonly AttachmentRecord[], address: FileAddress): unknown {
  if (Array.isArray(value)) return value.map((item) => resolved(item, files, address));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value as Json).map(([key, inner]) => {
    if (MEDIA.includes(key) && isMedia(inner)) return [key, mediaAnswer(inner, files, address)];
    if (key === 'icon_url' && typeof inner === 'string') return [key, place(inner, files, address).url];
    return [key, resolved(inner, files, address)];
  });
  const answer = Object.fromEntries(fields) as Json;
  // The component of a file says what it is.
  if (answer['type'] !== 13) return answer;
  const { file } = place((value as { file: { url: string } }).file.url, files, address);
  return { ...answer, name: file?.filename ?? null, size: file?.size ?? null };
}

function isMedia(value: unknown): value is Json & { readonly url: string } {
  return typeof value === 'object' && value !== null && typeof (value as Json)['url'] === 'string';
}

function mediaAnswer(
  media: Json & { readonly url: string },
  files: readonly AttachmentRecord[],
  address: FileAddress,
): Json {
  const { url, file } = place(media.url, files, address);
  return {
    ...media,
    url,
    proxy_url: url,
    ...(file === undefined ? {} : { attachment_id: file.id, content_type: file.content_type }),
  };
}

function place(
  url: string,
  files: readonly AttachmentRecord[],
  address: FileAddress,
): { readonly url: string; readonly file?: AttachmentRecord } {
  const name = /^attachment:\/\/(.+)$/.exec(url)?.[1];
  const file = name === undefined ? undefined : files.find(({ filename }) => filename === name);
  return file === undefined ? { url } : { url: address(file), file };
}
