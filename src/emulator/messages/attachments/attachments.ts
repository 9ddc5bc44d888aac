import type * as z from 'zod';
import { safeName } from '../../files/file-name.ts';
import type { FieldFault } from '../../kernel/errors.ts';
import type { attachmentShape } from '../shapes.ts';
import type { AttachmentRecord } from './records.ts';

/** Function that returns a temporary URL of a file. */
export type FileAddress = (file: AttachmentRecord) => string;

const IS_SPOILER = 1 << 3;

/** A file in the form that clients receive. */
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

/** Replaces the `attachment://name` references in embeds or components by the URLs of their message's files. */
export function withFiles(
  parts: readonly Json[],
  files: readonly AttachmentRecord[],
  address: FileAddress,
): readonly Json[] {
  return parts.map((part) => resolved(part, files, address) as Json);
}

const MEDIA = ['media', 'file', 'image', 'thumbnail'];

/** Files of a message that its embeds and components do not use. */
export function filesBeside<File extends Named>(
  {
    embeds = [],
    components = [],
  }: { readonly embeds?: readonly Json[] | undefined; readonly components?: readonly Json[] | undefined },
  files: readonly File[],
): readonly File[] {
  const embedded = embeddedFiles([embeds, components], files);
  return files.filter((file) => !embedded.has(file));
}

/** Files of a message that its embeds or components use. */
export function embeddedFiles<File extends Named>(
  parts: readonly unknown[],
  files: readonly File[],
): ReadonlySet<File> {
  if (files.length === 0) return new Set();
  const embedded = [...addresses(parts, [])].flatMap(({ url }) => fileOf(url, files) ?? []);
  return new Set(embedded);
}

/** Validation errors for references to files that the message does not have. */
export function faultsOfFiles(
  name: 'embeds' | 'components',
  parts: readonly unknown[],
  files: readonly Named[],
): FieldFault[] {
  if (parts.length === 0) return [];
  return [...addresses(parts, [name])]
    .filter(({ url }) => isReference(url) && fileOf(url, files) === undefined)
    .map(({ path }) => ({ path, code: 'ATTACHMENT_NOT_FOUND', message: 'Attachment data not found.' }));
}

interface Named {
  readonly filename: string;
}

const isReference = (url: string): boolean => /^attachment:\/\//i.test(url);

/** The file that a reference names. The reference may use the file's name before it was sanitised. */
function fileOf<File extends Named>(url: string, files: readonly File[]): File | undefined {
  if (!isReference(url)) return undefined;
  const name = url.replace(/^attachment:\/\//i, '');
  const called = (spelled: string): File | undefined => files.find(({ filename }) => filename === spelled);
  return called(name) ?? called(safeName(name)) ?? called(safeName(decoded(name)));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Every URL of a picture or a file in embeds or components, with its path. */
function* addresses(
  value: unknown,
  path: FieldFault['path'],
): Generator<{ readonly url: string; readonly path: FieldFault['path'] }> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* addresses(item, [...path, index]);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (MEDIA.includes(key) && isMedia(inner)) yield { url: inner.url, path: [...path, key, 'url'] };
    else if (key === 'icon_url' && typeof inner === 'string') yield { url: inner, path: [...path, key] };
    else yield* addresses(inner, [...path, key]);
  }
}

function resolved(value: unknown, files: readonly AttachmentRecord[], address: FileAddress): unknown {
  if (Array.isArray(value)) return value.map((item) => resolved(item, files, address));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value as Json).map(([key, inner]) => {
    if (MEDIA.includes(key) && isMedia(inner)) return [key, mediaAnswer(inner, files, address)];
    if (key === 'icon_url' && typeof inner === 'string') return [key, resolveUrl(inner, files, address).url];
    return [key, resolved(inner, files, address)];
  });
  const answer = Object.fromEntries(fields) as Json;
  // A file component has two more fields: the file's name and size.
  if (answer['type'] !== 13) return answer;
  const { file } = resolveUrl((value as { file: { url: string } }).file.url, files, address);
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
  const { url, file } = resolveUrl(media.url, files, address);
  return {
    ...media,
    url,
    proxy_url: url,
    ...(file === undefined ? {} : { attachment_id: file.id, content_type: file.content_type }),
  };
}

function resolveUrl(
  url: string,
  files: readonly AttachmentRecord[],
  address: FileAddress,
): { readonly url: string; readonly file?: AttachmentRecord } {
  const file = fileOf(url, files);
  return file === undefined ? { url } : { url: address(file), file };
}
