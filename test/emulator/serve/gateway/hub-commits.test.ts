import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type Dispatched, everyBot, INTENTS } from '../../../../src/emulator/api/dispatch.ts';
import {
  type Derivation,
  derivationsOf,
  Hub,
  type Recipient,
} from '../../../../src/emulator/serve/gateway/hub.ts';

const GUILD = '4194304';
const OTHER = '8388608';

/** A hub on a state that only the test changes. */
function hubOf(derivations: readonly Derivation[]) {
  const lines: string[] = [];
  const followers: { readonly follow: (commit: unknown) => void; readonly recover: () => void }[] = [];
  const world = {
    tables: {
      guilds: { get: (id: string) => ({ id, owner: '1', membership: 'listed' }) },
      members: { get: () => ({}) },
    },
    subscribeCommits: (follow: (commit: unknown) => void, { recover }: { recover: () => void }) => {
      const follower = { follow, recover };
      followers.push(follower);
      return () => void followers.splice(followers.indexOf(follower), 1);
    },
  };
  const log = { warn: (line: string) => lines.push(line) };
  const hub = new Hub({ world, log } as never, derivations);
  const told: string[] = [];
  const add = (name: string, fields: object = {}, more: Partial<Recipient> = {}) =>
    hub.add({
      listener: {
        kind: 'bot',
        application: { id: name },
        user: 'bot',
        intents: INTENTS.GUILDS,
        shard: [0, 1],
        ...fields,
      } as never,
      take: (event, data) => told.push(`${name} ${event} ${data}`),
      lose: () => told.push(`${name} lost`),
      ...more,
    });
  const commit = (...tables: string[]) => {
    for (const { follow } of followers)
      follow({ touches: (...names: string[]) => names.some((name) => tables.includes(name)) });
  };
  return { hub, add, commit, followers, lines, take: () => told.splice(0) };
}

const shape = z.object({ a: z.int() });
const event = (
  name: string,
  guild: string | undefined,
  {
    tables = ['guilds'],
    intents = ['GUILDS'],
    ...more
  }: Partial<Derivation> & { readonly anyone?: true } = {},
): Derivation => ({
  event: name,
  summary: 'x',
  intents,
  tables: tables as never,
  shape,
  derived: () => [{ guild, canSee: everyBot, data: () => ({ a: 1 }), ...more } as Dispatched],
  ...('derived' in more ? { derived: more.derived } : {}),
});
const fails = (name: string, intents: Derivation['intents']) =>
  event(name, GUILD, {
    intents,
    derived: () => {
      throw new RangeError('canary');
    },
  });

describe('the events of a change', () => {
  it('are those of the tables that it touches, in the order of their declaration', () => {
    const { add, commit, take } = hubOf([
      event('B', GUILD, { tables: ['channels', 'roles'] as never }),
      event('A', GUILD),
      { ...event('C', GUILD), derived: undefined } as never,
    ]);
    add('one');
    commit('guilds', 'roles');
    expect(take()).toEqual(['one B {"a":1}', 'one A {"a":1}']);
    commit('guilds');
    expect(take()).toEqual(['one A {"a":1}']);
    commit('messages');
    expect(take()).toEqual([]);
  });

  it('are not told after a whole guild that has them already', () => {
    const { add, commit, take } = hubOf([
      event('GUILD_CREATE', GUILD, { tables: ['members'] as never }),
      event('CHANNEL_CREATE', GUILD, { tables: ['members', 'channels'] as never }),
      event('CHANNEL_CREATE', OTHER, { tables: ['members', 'channels'] as never }),
      event('MESSAGE_CREATE', GUILD, { tables: ['members', 'channels'] as never }),
    ]);
    add('plain');
    commit('members');
    expect(take()).toEqual([
      'plain GUILD_CREATE {"a":1}',
      'plain CHANNEL_CREATE {"a":1}',
      'plain MESSAGE_CREATE {"a":1}',
    ]);
    commit('channels');
    expect(take()).toHaveLength(3);
  });

  it('are not told where the whole guild goes ahead of them, but those that are no part of it', () => {
    const { add, commit, take } = hubOf([
      event('GUILD_ROLE_CREATE', GUILD),
      event('GUILD_ROLE_CREATE', OTHER),
      event('TYPING_START', GUILD),
      event('USER_UPDATE', undefined),
    ]);
    const waiting = new Set([GUILD]);
    add('new', {}, { prepare: (guild) => waiting.delete(guild) });
    commit('guilds');
    expect(take()).toEqual([
      'new GUILD_ROLE_CREATE {"a":1}',
      'new TYPING_START {"a":1}',
      'new USER_UPDATE {"a":1}',
    ]);
    commit('guilds');
    expect(take()).toHaveLength(4);
  });

  it.each([
    'GUILD_UPDATE',
    'GUILD_ROLE_CREATE',
    'GUILD_ROLE_UPDATE',
    'GUILD_MEMBER_ADD',
    'GUILD_MEMBER_UPDATE',
    'GUILD_MEMBER_REMOVE',
    'CHANNEL_CREATE',
    'CHANNEL_UPDATE',
    'THREAD_CREATE',
    'THREAD_UPDATE',
    'THREAD_LIST_SYNC',
    'GUILD_EMOJIS_UPDATE',
    'GUILD_STICKERS_UPDATE',
    'GUILD_SOUNDBOARD_SOUND_CREATE',
    'GUILD_SOUNDBOARD_SOUND_UPDATE',
    'GUILD_SOUNDBOARD_SOUNDS_UPDATE',
    'STAGE_INSTANCE_CREATE',
    'STAGE_INSTANCE_UPDATE',
    'GUILD_SCHEDULED_EVENT_CREATE',
    'GUILD_SCHEDULED_EVENT_UPDATE',
    'PRESENCE_UPDATE',
  ])('named %s are part of a whole guild', (name) => {
    const { add, commit, take } = hubOf([event('GUILD_CREATE', GUILD), event(name, GUILD)]);
    add('one');
    commit('guilds');
    expect(take()).toEqual(['one GUILD_CREATE {"a":1}']);
  });

  it('reach the shard of their guild, and the first shard where they have none', () => {
    const { add, commit, take } = hubOf([event('A', GUILD), event('B', OTHER), event('C', undefined)]);
    for (const shard of [
      [0, 2],
      [1, 2],
      [1, 3],
      [2, 3],
    ])
      add(shard.join('/'), { shard });
    commit('guilds');
    expect(take().map((line) => line.slice(0, 5))).toEqual(['1/2 A', '1/3 A', '0/2 B', '2/3 B', '0/2 C']);
  });
});

describe('an event that is lost', () => {
  it('is lost to those that it may have been for', () => {
    const { add, commit, take, lines } = hubOf([fails('BROKEN', ['GUILD_MEMBERS']), event('A', GUILD)]);
    add('without');
    add('with', { intents: INTENTS.GUILD_MEMBERS });
    add('both', { intents: INTENTS.GUILD_MEMBERS | INTENTS.GUILDS });
    add('person', { kind: 'bearer', intents: 0 });
    commit('guilds');
    expect(take()).toEqual(['with lost', 'both lost', 'person lost', 'without A {"a":1}', 'both A {"a":1}']);
    expect(lines).toEqual(['the gateway could not send BROKEN: RangeError']);
  });

  it('is lost to everybody where it needs no intent, and where the state could not be followed', () => {
    const { add, commit, take, followers } = hubOf([fails('BROKEN', [])]);
    add('one', { intents: 0 });
    add('two', { shard: [1, 2] });
    commit('guilds');
    expect(take()).toEqual(['one lost', 'two lost']);
    for (const { recover } of followers) recover();
    expect(take()).toEqual(['one lost', 'two lost']);
  });

  it('is lost to the one that could not take it, and no other', () => {
    const { add, commit, take, lines } = hubOf([event('A', GUILD)]);
    const broken = () => {
      // What is thrown need not be an error.
      throw 'canary' as never;
    };
    add('broken', {}, { take: broken });
    add('one');
    commit('guilds');
    expect(take()).toEqual(['broken lost', 'one A {"a":1}']);
    expect(lines).toEqual(['the gateway could not send A: string']);
  });
});

it('a hub follows the state while somebody listens', () => {
  const { hub, add, followers } = hubOf([]);
  expect(followers).toHaveLength(0);
  const stops = [add('one'), add('two'), add('three', { shard: [1, 2] })];
  expect([followers.length, hub.hasReceiver('three'), hub.hasReceiver('four')]).toEqual([1, true, false]);
  for (const stop of stops.slice(0, 2)) stop();
  expect([followers.length, hub.hasReceiver('one')]).toEqual([1, false]);
  for (const stop of stops) stop();
  expect([followers.length, hub.hasReceiver('three')]).toEqual([0, false]);
  const again = add('one');
  expect(followers).toHaveLength(1);
  again();
  expect(followers).toHaveLength(0);
});

it('a hub has one shape of each event, whatever number of declarations it has', () => {
  const text = z.object({ b: z.string() });
  const { hub } = hubOf([
    event('A', GUILD),
    { ...event('B', GUILD), shape: text },
    { ...event('A', GUILD), shape: text },
  ]);
  const accepts = (name: string, value: unknown) => hub.shapes.get(name)?.safeParse(value).success;
  expect([...hub.shapes.keys()]).toEqual(['A', 'B']);
  expect([accepts('A', { a: 1 }), accepts('A', { b: 'x' }), accepts('A', {})]).toEqual([true, true, false]);
  expect([accepts('B', { a: 1 }), accepts('B', { b: 'x' })]).toEqual([false, true]);
});

it('derivations have the services of their dispatches', () => {
  const { derived: _, ...plain } = event('A', GUILD);
  const [bound, unbound] = derivationsOf<string>(
    [{ ...plain, derive: (commit: unknown, platform: string) => [[commit, platform]] }, plain] as never,
    'platform',
  );
  expect(bound?.derived?.('commit' as never)).toEqual([['commit', 'platform']]);
  expect(unbound).toEqual(plain);
});
