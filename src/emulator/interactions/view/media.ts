import type { Base, Reading } from '../../api/world.ts';
import { mediaTypeOf } from '../../files/media-type.ts';
import type { HasFileStore } from '../../files/store.ts';
import { SettingError } from '../../kernel/errors.ts';

/** Services that these functions need. */
type Needs = Base & HasFileStore;

/** A picture, a sound or a video with its type by its bytes. */
export interface MediaFile {
  readonly type: string;
  readonly bytes: Buffer;
}

/** Side of a drawn picture of a user (px). */
const AVATAR_PX = 128;
/** Size of a part in which a file is read (bytes): files are smaller, so there is one. */
const MAX_PART_BYTES = 64 * 1024 * 1024;

/** Stored file at a path of an address; undefined for a path that is none. Only the id counts, as on the platform. */
const FILES: readonly (readonly [
  path: RegExp,
  find: (tables: Reading, id: string) => { readonly digest: string } | undefined,
])[] = [
  [
    /^\/attachments\/\d+\/(\d+)\//,
    ({ attachments, ephemeral_attachments }, id) => attachments.get(id) ?? ephemeral_attachments.get(id),
  ],
  [
    /^\/emojis\/(\d+)(?:\.\w+)?$/,
    ({ emojis, application_emojis }, id) => (emojis.get(id) ?? application_emojis.get(id))?.file,
  ],
  [/^\/stickers\/(\d+)(?:\.\w+)?$/, ({ stickers }, id) => stickers.get(id)?.file],
  [/^\/soundboard-sounds\/(\d+)$/, (tables, id) => tables.soundboard_sounds.get(id)?.file],
];
const AVATAR = /^\/avatars\/(\d+)(?:\/\w+)?\.\w+$/;

/**
 * A file of the emulator at an address: the URL of an attachment, or a path such as `/emojis/1.png`, whatever its host.
 * An attachment needs no signature here, because the operator may read everything. @throws SettingError
 */
export async function readMedia(platform: Needs, address: string): Promise<MediaFile> {
  const path = pathOf(address);
  const { tables } = platform.world;
  const user = AVATAR.exec(path)?.[1];
  if (user !== undefined && tables.users.has(user)) {
    const { avatarPng } = await import('../../users/avatar.ts');
    return { type: 'image/png', bytes: Buffer.from(avatarPng(user, AVATAR_PX)) };
  }
  const digest = FILES.map(([form, find]) => find(tables, form.exec(path)?.[1] ?? '')).find(
    (file) => file !== undefined,
  )?.digest;
  const [bytes] = digest === undefined ? [] : platform.fileStore.read(digest, MAX_PART_BYTES);
  if (bytes === undefined) throw new SettingError('address', 'there is no stored file at this address');
  const type = mediaTypeOf(bytes);
  if (type === undefined)
    throw new SettingError('address', 'the file is neither a picture nor a sound nor a video');
  return { type, bytes };
}

function pathOf(address: string): string {
  try {
    return new URL(address, 'http://127.0.0.1').pathname;
  } catch {
    return '';
  }
}
