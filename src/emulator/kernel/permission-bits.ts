/** Every permission of the platform by its name, with the number of its bit. Bit 47 is unassigned. */
export const PERMISSIONS = {
  CREATE_INSTANT_INVITE: 0,
  KICK_MEMBERS: 1,
  BAN_MEMBERS: 2,
  ADMINISTRATOR: 3,
  MANAGE_CHANNELS: 4,
  MANAGE_GUILD: 5,
  ADD_REACTIONS: 6,
  VIEW_AUDIT_LOG: 7,
  PRIORITY_SPEAKER: 8,
  STREAM: 9,
  VIEW_CHANNEL: 10,
  SEND_MESSAGES: 11,
  SEND_TTS_MESSAGES: 12,
  MANAGE_MESSAGES: 13,
  EMBED_LINKS: 14,
  ATTACH_FILES: 15,
  READ_MESSAGE_HISTORY: 16,
  MENTION_EVERYONE: 17,
  USE_EXTERNAL_EMOJIS: 18,
  VIEW_GUILD_INSIGHTS: 19,
  CONNECT: 20,
  SPEAK: 21,
  MUTE_MEMBERS: 22,
  DEAFEN_MEMBERS: 23,
  MOVE_MEMBERS: 24,
  USE_VAD: 25,
  CHANGE_NICKNAME: 26,
  MANAGE_NICKNAMES: 27,
  MANAGE_ROLES: 28,
  MANAGE_WEBHOOKS: 29,
  MANAGE_GUILD_EXPRESSIONS: 30,
  USE_APPLICATION_COMMANDS: 31,
  REQUEST_TO_SPEAK: 32,
  MANAGE_EVENTS: 33,
  MANAGE_THREADS: 34,
  CREATE_PUBLIC_THREADS: 35,
  CREATE_PRIVATE_THREADS: 36,
  USE_EXTERNAL_STICKERS: 37,
  SEND_MESSAGES_IN_THREADS: 38,
  USE_EMBEDDED_ACTIVITIES: 39,
  MODERATE_MEMBERS: 40,
  VIEW_CREATOR_MONETIZATION_ANALYTICS: 41,
  USE_SOUNDBOARD: 42,
  CREATE_GUILD_EXPRESSIONS: 43,
  CREATE_EVENTS: 44,
  USE_EXTERNAL_SOUNDS: 45,
  SEND_VOICE_MESSAGES: 46,
  SET_VOICE_CHANNEL_STATUS: 48,
  SEND_POLLS: 49,
  USE_EXTERNAL_APPS: 50,
  PIN_MESSAGES: 51,
  BYPASS_SLOWMODE: 52,
} as const;

/** Name of a permission. */
export type Permission = keyof typeof PERMISSIONS;

/** Bits of some permissions. */
export function bitsOf(...names: readonly Permission[]): bigint {
  return names.reduce((bits, name) => bits | (1n << BigInt(PERMISSIONS[name])), 0n);
}

/** Names of the permissions in a bit set, in the order of the bits. */
export function namesOf(bits: bigint): Permission[] {
  const names = Object.keys(PERMISSIONS) as Permission[];
  return names.filter((name) => (bits & bitsOf(name)) !== 0n);
}

/** Bits of all permissions. */
export const ALL_PERMISSIONS = bitsOf(...(Object.keys(PERMISSIONS) as Permission[]));

/**
 * Permissions of @everyone in a new guild. The platform does not publish this list; it is the one of a guild that a
 * user creates.
 */
export const BEGINNERS = bitsOf(
  'CREATE_INSTANT_INVITE',
  'ADD_REACTIONS',
  'STREAM',
  'VIEW_CHANNEL',
  'SEND_MESSAGES',
  'EMBED_LINKS',
  'ATTACH_FILES',
  'READ_MESSAGE_HISTORY',
  'MENTION_EVERYONE',
  'USE_EXTERNAL_EMOJIS',
  'CONNECT',
  'SPEAK',
  'USE_VAD',
  'CHANGE_NICKNAME',
  'USE_APPLICATION_COMMANDS',
  'REQUEST_TO_SPEAK',
  'CREATE_PUBLIC_THREADS',
  'CREATE_PRIVATE_THREADS',
  'USE_EXTERNAL_STICKERS',
  'SEND_MESSAGES_IN_THREADS',
  'USE_EMBEDDED_ACTIVITIES',
  'USE_SOUNDBOARD',
  'USE_EXTERNAL_SOUNDS',
  'SEND_VOICE_MESSAGES',
  'SEND_POLLS',
  'USE_EXTERNAL_APPS',
);

/**
 * Reads permissions in the form of a fixture: a list of names, or their bits as a decimal number in a text. Returns the
 * bits as the API sends them, or undefined for any other value.
 */
export function readPermissions(written: unknown): string | undefined {
  if (Array.isArray(written)) {
    if (!written.every((name): name is Permission => Object.hasOwn(PERMISSIONS, name))) return undefined;
    return String(bitsOf(...written));
  }
  if (typeof written !== 'string' || !/^(0|[1-9]\d{0,19})$/.test(written)) return undefined;
  return (BigInt(written) & ~ALL_PERMISSIONS) === 0n ? written : undefined;
}
