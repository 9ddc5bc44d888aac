import { describe, expect, it } from 'vitest';
import { commands, events } from '../../src/protocol/registry.ts';
import {
  missingRight,
  permissionOf,
  permits,
  permittedScopes,
  type Rights,
  rightsFault,
} from '../../src/protocol/rights.ts';
import { SCOPES } from '../../src/protocol/scope.ts';

const can = (rights: Rights, cmd: string, args: unknown = {}, evt?: string): boolean =>
  permits(permissionOf(rights), { cmd, args, evt });
const permitted = (rights: Rights): string[] => Object.keys(commands).filter((cmd) => can(rights, cmd));
const events_ = (rights: Rights): string[] =>
  Object.keys(events).filter((evt) => can(rights, 'SUBSCRIBE', {}, evt));

describe('permits', () => {
  it('permits everything with full rights, also a command of another server', () => {
    for (const cmd of [...Object.keys(commands), 'SOMETHING_ELSE']) expect(can('full', cmd)).toBe(true);
  });

  it('permits with presence what shows an activity, and nothing else', () => {
    expect(permitted('presence').sort()).toEqual([
      'CLOSE_ACTIVITY_JOIN_REQUEST',
      'CLOSE_ACTIVITY_REQUEST',
      'SEND_ACTIVITY_JOIN_INVITE',
      'SET_ACTIVITY',
    ]);
    expect(events_('presence').sort()).toEqual([
      'ACTIVITY_JOIN',
      'ACTIVITY_JOIN_REQUEST',
      'ACTIVITY_SPECTATE',
    ]);
    expect(can('presence', 'AUTHORIZE', { scopes: [] })).toBe(false);
    expect(can('presence', 'SUBSCRIBE')).toBe(false);
    expect(can('presence', 'SOMETHING_ELSE')).toBe(false);
    expect(can('presence', 'constructor')).toBe(false);
  });

  it('permits AUTHORIZE only for listed scopes, what they imply, and identify', () => {
    const rights = ['rpc.voice.read'];
    expect(can(rights, 'AUTHORIZE', { scopes: ['rpc.voice.read', 'identify'] })).toBe(true);
    expect(can(rights, 'AUTHORIZE', { scope: 'identify rpc.voice.read' })).toBe(true);
    expect(can(rights, 'AUTHORIZE')).toBe(true);
    for (const args of [
      { scopes: ['rpc'] },
      { scopes: ['rpc.voice.read', 'email'] },
      { scope: 'rpc.voice.read rpc' },
      { scopes: ['identify'], scope: ['rpc'] },
      { scopes: { length: 0 } },
      { scopes: [1] },
      { scopes: 7 },
    ])
      expect(can(rights, 'AUTHORIZE', args)).toBe(false);
    expect(can(['sdk.social_layer_presence'], 'AUTHORIZE', { scopes: ['activities.write'] })).toBe(true);
    expect(can(rights, 'AUTHENTICATE', { access_token: 'x' })).toBe(true);
  });

  it('permits the commands and events that the listed scopes open, and those that are listed', () => {
    expect(can(['rpc'], 'GET_GUILDS')).toBe(true);
    expect(can(['rpc.voice.read'], 'GET_GUILDS')).toBe(false);
    expect(can(['rpc'], 'TOGGLE_VIDEO')).toBe(false);
    expect(can(['rpc', 'rpc.video.write'], 'TOGGLE_VIDEO')).toBe(true);
    expect(can(['rpc'], 'OPEN_MESSAGE')).toBe(false);
    expect(can(['OPEN_MESSAGE'], 'OPEN_MESSAGE')).toBe(true);
    expect(can(['OPEN_MESSAGE'], 'SET_ACTIVITY')).toBe(false);
    expect(can(['presence', 'OPEN_MESSAGE'], 'SET_ACTIVITY')).toBe(true);
    expect(can(['CURRENT_USER_UPDATE'], 'SUBSCRIBE', {}, 'CURRENT_USER_UPDATE')).toBe(true);
    expect(can(['identify'], 'SUBSCRIBE', {}, 'CURRENT_USER_UPDATE')).toBe(true);
    expect(can(['identify'], 'UNSUBSCRIBE', {}, 'MESSAGE_CREATE')).toBe(false);
  });
});

describe('a list with a scope', () => {
  /** Commands and events that need no scope of a token, so that any app may use them after AUTHENTICATE. */
  const withoutScope = Object.entries({ ...commands, ...events }).flatMap(([name, { scope }]) =>
    scope.kind === 'any' && scope.scopes.includes('rpc.authenticated') && !scope.scopes.includes('rpc')
      ? [name]
      : [],
  );

  it('opens nothing that needs authentication alone, unless the list names it', () => {
    const opened = (rights: Rights) =>
      withoutScope.filter((name) => can(rights, name) || can(rights, 'SUBSCRIBE', {}, name));
    expect(withoutScope.length).toBeGreaterThan(20);
    expect(opened(['identify'])).toEqual([]);
    expect(opened(Object.keys(SCOPES))).toEqual([]);
    expect(opened(['identify', ...withoutScope])).toEqual(withoutScope);
  });
});

describe('permittedScopes', () => {
  it('leaves out the scopes of a token that the rights do not contain', () => {
    const permission = permissionOf(['rpc.voice.read']);
    expect(permittedScopes(permission, ['rpc', 'rpc.voice.read', 'rpc.authenticated'])).toEqual([
      'rpc.voice.read',
      'rpc.authenticated',
    ]);
    expect(permittedScopes(undefined, ['rpc'])).toEqual(['rpc']);
  });
});

describe('rightsFault', () => {
  it('accepts scopes, commands, events and presence', () => {
    for (const item of ['rpc', 'SET_ACTIVITY', 'ACTIVITY_JOIN', 'presence'])
      expect(rightsFault([item])).toBeUndefined();
  });

  it.each([
    ['rpc.nothing', 'there is no scope, command or event "rpc.nothing"'],
    ['toString', 'there is no scope'],
    ['full', 'Write rights = "full".'],
    ['', 'an item is empty. '],
    ['rpc.voice.raed', '"rpc.voice.raed". Did you mean "rpc.voice.read"?'],
    ['SET_ACTIVTY', 'Did you mean "SET_ACTIVITY"?'],
    ['ACTIVITY_JION', 'Did you mean "ACTIVITY_JOIN"?'],
    ['AUTHORIZE', 'list the scopes'],
    ['SUBSCRIBE', 'list the events'],
  ])('refuses %s', (item, text) => {
    expect(rightsFault(['rpc', item])).toContain(text);
  });

  it.each([
    [['GET_GUILDS'], 'GET_GUILDS needs the scope rpc, which the list does not let apps request: list it'],
    [['rpc.voice.read', 'GET_GUILDS'], 'needs the scope rpc,'],
    [['rpc', 'MESSAGE_CREATE'], 'MESSAGE_CREATE needs the scope rpc and messages.read,'],
    [['presence', 'SHARE_LINK'], 'SHARE_LINK is for apps that have authenticated: list a scope'],
    [
      ['rpc', 'INVITE_BROWSER'],
      'INVITE_BROWSER is not for apps at an endpoint, which never have rpc.private',
    ],
  ])('refuses %j, in which a name leads nowhere', (items, text) => {
    expect(rightsFault(items)).toContain(text);
  });

  it.each([
    [['GET_GUILDS', 'rpc']],
    [['OPEN_MESSAGE', 'GET_ENTITLEMENTS', 'GET_PLATFORM_BEHAVIORS']],
    [['SHARE_LINK', 'identify']],
    [['identify', 'rpc.video.read', 'VIDEO_STATE_UPDATE']],
    [['sdk.social_layer', 'GET_RELATIONSHIPS']],
  ])('accepts %j', (items) => {
    expect(rightsFault(items)).toBeUndefined();
  });
});

describe('missingRight', () => {
  const requests = [
    ...Object.keys(commands).map((cmd) => ({ cmd })),
    ...Object.keys(events).map((evt) => ({ cmd: 'SUBSCRIBE', evt })),
  ].filter(({ cmd, ...rest }) => cmd !== 'SUBSCRIBE' || 'evt' in rest);

  it.each(requests)('names for $cmd $evt what a list then permits', (request) => {
    const { cmd } = request;
    if (cmd === 'UNSUBSCRIBE') return;
    const words = missingRight(request).split(/[ ,]+/);
    const items = words.filter(
      (word, at) => (word in SCOPES || /^[A-Z_\d]+$/.test(word)) && words[at - 1] !== 'or',
    );
    if (cmd === 'AUTHORIZE' || cmd === 'AUTHENTICATE') items.push('identify');
    // No list opens these.
    if (/is not for apps/.test(rightsFault(items) ?? '')) return;
    expect(rightsFault(items)).toBeUndefined();
    expect(permits(permissionOf(items), { ...request, args: { scopes: ['identify'] } })).toBe(true);
  });

  it('names a command that every local app may use, and the scopes of others', () => {
    expect(missingRight({ cmd: 'SET_ACTIVITY' })).toBe('SET_ACTIVITY');
    expect(missingRight({ cmd: 'GET_GUILDS' })).toBe('the scope rpc');
    expect(missingRight({ cmd: 'SUBSCRIBE', evt: 'VOICE_SETTINGS_UPDATE' })).toBe(
      'the scope rpc or rpc.voice.read',
    );
    expect(missingRight({ cmd: 'AUTHORIZE' })).toBe('the scopes that the app asks for');
  });
});
