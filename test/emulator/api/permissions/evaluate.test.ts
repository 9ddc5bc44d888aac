import { describe, expect, it } from 'vitest';
import {
  explicitIn,
  inChannel,
  inGuild,
  type Overwrite,
  type Setting,
  type Subject,
} from '../../../../src/emulator/api/permissions/evaluate.ts';
import {
  ALL_PERMISSIONS,
  bitsOf,
  namesOf,
  PERMISSIONS,
  type Permission,
  readPermissions,
} from '../../../../src/emulator/kernel/permission-bits.ts';

describe('the permission bits', () => {
  it('are 0 to 52 without 47, each once', () => {
    const numbers = Object.values(PERMISSIONS);
    expect([...numbers].sort((a, b) => a - b)).toEqual([...Array(53).keys()].filter((bit) => bit !== 47));
    expect(ALL_PERMISSIONS).toBe((1n << 53n) - 1n - (1n << 47n));
  });

  // The five of the change-log, and others by the public table.
  it.each<[Permission, number]>([
    ['CREATE_GUILD_EXPRESSIONS', 43],
    ['CREATE_EVENTS', 44],
    ['SET_VOICE_CHANNEL_STATUS', 48],
    ['PIN_MESSAGES', 51],
    ['BYPASS_SLOWMODE', 52],
    ['ADMINISTRATOR', 3],
    ['VIEW_CHANNEL', 10],
    ['MANAGE_ROLES', 28],
    ['MODERATE_MEMBERS', 40],
  ])('%s is %i [B-1..5]', (name, bit) => {
    expect(bitsOf(name)).toBe(1n << BigInt(bit));
    expect(namesOf(1n << BigInt(bit))).toEqual([name]);
  });

  it.each<[unknown, string | undefined]>([
    [['VIEW_CHANNEL', 'CONNECT'], String((1n << 10n) | (1n << 20n))],
    [[], '0'],
    ['8', '8'],
    ['08', undefined],
    ['-1', undefined],
    [8, undefined],
    [['toString'], undefined],
    [String(1n << 47n), undefined],
    [String(1n << 53n), undefined],
    ['9'.repeat(21), undefined],
  ])('are read from %j as %s', (written, bits) => {
    expect(readPermissions(written)).toBe(bits);
  });
});

const bits = (...names: Permission[]) => bitsOf(...names);
const overwrite = (allow: Permission[], deny: Permission[]): Overwrite => ({
  allow: bits(...allow),
  deny: bits(...deny),
});
const BASE = bits('VIEW_CHANNEL', 'SEND_MESSAGES', 'EMBED_LINKS', 'CONNECT', 'SPEAK', 'READ_MESSAGE_HISTORY');
const somebody: Subject = { isOwner: false, everyone: BASE, roles: [], isTimedOut: false };
const plain: Setting = { kind: 'text', overwrites: { roles: [] } };
const denying = (...names: Permission[]): Setting['overwrites'] => ({
  everyone: overwrite([], names),
  roles: [],
});

describe('permissions in a channel', () => {
  it.each<[string, Partial<Subject>, Partial<Setting>, Permission[]]>([
    ['as everybody', {}, {}, namesOf(BASE)],
    [
      'and by their roles together',
      { roles: [bits('PIN_MESSAGES'), bits('MANAGE_ROLES')] },
      {},
      [...namesOf(BASE), 'MANAGE_ROLES', 'PIN_MESSAGES'],
    ],
    [
      'as owner',
      { isOwner: true, everyone: 0n },
      { overwrites: denying('VIEW_CHANNEL') },
      namesOf(ALL_PERMISSIONS),
    ],
    [
      'as administrator by a role',
      { roles: [bits('ADMINISTRATOR')] },
      { overwrites: denying('VIEW_CHANNEL', 'ADMINISTRATOR') },
      namesOf(ALL_PERMISSIONS),
    ],
    [
      'not as administrator by an overwrite, which makes nobody one',
      {},
      { overwrites: { everyone: overwrite(['ADMINISTRATOR'], ['SPEAK']), roles: [] } },
      ['ADMINISTRATOR', ...namesOf(BASE).filter((name) => name !== 'SPEAK')],
    ],
    [
      'when everybody is denied and a role allows',
      {},
      {
        overwrites: {
          everyone: overwrite([], ['CONNECT']),
          roles: [overwrite(['CONNECT'], [])],
        },
      },
      namesOf(BASE),
    ],
    [
      'when one role denies and another allows: what is allowed wins',
      {},
      { overwrites: { roles: [overwrite(['PIN_MESSAGES'], []), overwrite([], ['PIN_MESSAGES', 'SPEAK'])] } },
      [...namesOf(BASE).filter((name) => name !== 'SPEAK'), 'PIN_MESSAGES'],
    ],
    [
      'when a role allows and the user is denied',
      {},
      { overwrites: { roles: [overwrite(['PIN_MESSAGES'], [])], user: overwrite([], ['PIN_MESSAGES']) } },
      namesOf(BASE),
    ],
    [
      'when all are denied and the user is allowed',
      {},
      {
        overwrites: {
          everyone: overwrite([], ['SPEAK']),
          roles: [overwrite([], ['SPEAK'])],
          user: overwrite(['SPEAK'], []),
        },
      },
      namesOf(BASE),
    ],
    ['nothing at all without viewing it', {}, { overwrites: denying('VIEW_CHANNEL') }, []],
    [
      'no links, files, mentions and speech without writing',
      { everyone: BASE | bits('ATTACH_FILES', 'MENTION_EVERYONE', 'SEND_TTS_MESSAGES', 'ADD_REACTIONS') },
      { overwrites: denying('SEND_MESSAGES') },
      ['ADD_REACTIONS', 'VIEW_CHANNEL', 'READ_MESSAGE_HISTORY', 'CONNECT', 'SPEAK'],
    ],
    [
      'no voice without connecting',
      { everyone: BASE | bits('STREAM', 'MUTE_MEMBERS', 'USE_SOUNDBOARD', 'SET_VOICE_CHANNEL_STATUS') },
      { kind: 'voice', overwrites: denying('CONNECT') },
      ['VIEW_CHANNEL', 'SEND_MESSAGES', 'EMBED_LINKS', 'READ_MESSAGE_HISTORY'],
    ],
    [
      'in a channel without voice, what connecting is for nobody asks',
      {},
      { kind: 'text', overwrites: denying('CONNECT') },
      namesOf(BASE).filter((name) => name !== 'CONNECT'),
    ],
    [
      'in a thread by the right for threads',
      { everyone: bits('VIEW_CHANNEL', 'SEND_MESSAGES_IN_THREADS', 'EMBED_LINKS') },
      { kind: 'thread' },
      ['VIEW_CHANNEL', 'EMBED_LINKS', 'SEND_MESSAGES_IN_THREADS'],
    ],
    [
      'in a thread not by that for channels',
      { everyone: bits('VIEW_CHANNEL', 'SEND_MESSAGES', 'EMBED_LINKS') },
      { kind: 'thread' },
      ['VIEW_CHANNEL', 'SEND_MESSAGES'],
    ],
    ['only look while timed out', { isTimedOut: true }, {}, ['VIEW_CHANNEL', 'READ_MESSAGE_HISTORY']],
    [
      'not even look where they could not',
      { isTimedOut: true },
      { overwrites: denying('READ_MESSAGE_HISTORY') },
      ['VIEW_CHANNEL'],
    ],
    [
      'only look while timed out, though an overwrite gives them everything',
      { isTimedOut: true },
      { overwrites: { roles: [], user: { allow: ALL_PERMISSIONS, deny: 0n } } },
      ['VIEW_CHANNEL', 'READ_MESSAGE_HISTORY'],
    ],
    [
      'speak in a voice channel where they may connect',
      { everyone: bits('VIEW_CHANNEL', 'CONNECT', 'SPEAK') },
      { kind: 'voice' },
      ['VIEW_CHANNEL', 'CONNECT', 'SPEAK'],
    ],
    [
      'everything as administrator, timed out or not',
      { isTimedOut: true, roles: [bits('ADMINISTRATOR')] },
      {},
      namesOf(ALL_PERMISSIONS),
    ],
    [
      'nothing that is unassigned',
      { everyone: (1n << 47n) | (1n << 53n) | bits('VIEW_CHANNEL') },
      {},
      ['VIEW_CHANNEL'],
    ],
    [
      'nor by an overwrite',
      {},
      { overwrites: { roles: [], user: { allow: (1n << 47n) | (1n << 60n), deny: 0n } } },
      namesOf(BASE),
    ],
  ])('%s', (_, subject, setting, expected) => {
    const found = inChannel({ ...somebody, ...subject }, { ...plain, ...setting });
    expect(namesOf(found)).toEqual(namesOf(bits(...expected)));
    // No bit without a name.
    expect(found & ~ALL_PERMISSIONS).toBe(0n);
  });

  it('contain for an app the result of the overwrites alone, without its consequences', () => {
    const setting: Setting = { kind: 'text', overwrites: denying('SEND_MESSAGES') };
    expect(namesOf(explicitIn(somebody, setting))).toContain('EMBED_LINKS');
    expect(namesOf(inChannel(somebody, setting))).not.toContain('EMBED_LINKS');
  });
});

describe('permissions in a guild', () => {
  it.each<[string, Partial<Subject>, bigint]>([
    ['is what their roles say', { roles: [bits('MANAGE_GUILD')] }, BASE | bits('MANAGE_GUILD')],
    ['is everything for the owner', { isOwner: true, everyone: 0n, isTimedOut: true }, ALL_PERMISSIONS],
    ['is everything for an administrator', { everyone: bits('ADMINISTRATOR') }, ALL_PERMISSIONS],
    ['is looking while timed out', { isTimedOut: true }, bits('VIEW_CHANNEL', 'READ_MESSAGE_HISTORY')],
  ])('%s', (_, subject, expected) => {
    expect(inGuild({ ...somebody, ...subject })).toBe(expected);
  });
});
