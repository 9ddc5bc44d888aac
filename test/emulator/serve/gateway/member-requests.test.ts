import { describe, expect, it } from 'vitest';
import { INTENTS } from '../../../../src/emulator/api/dispatch.ts';
import { defaultFixture } from '../../../../src/emulator/compose/fixture/default.ts';
import { MemberRequests } from '../../../../src/emulator/serve/gateway/member-requests.ts';
import { commands } from '../../../../src/emulator/serve/gateway/payload.ts';
import type { NamedPayload, Session } from '../../../../src/emulator/serve/gateway/session.ts';
import { missingOf } from '../../../../src/emulator/serve/http/server.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { ManualClock } from '../../../helpers/manual-clock.ts';
import { patch, worldOf } from '../../../helpers/patched.ts';

const MANY = Array.from({ length: 120 }, (_, n) => ({ id: String(7000 + n), username: `seal${n}` }));

/** Requests of a bot, and what it is sent. */
function asking(intents = INTENTS.GUILD_MEMBERS) {
  const { fixture } = patch(defaultFixture(), {
    users: MANY,
    guilds: [{ id: ids.riverBank, members: [{ user: 'otter', nick: 'Lontra' }] }],
  });
  const world = worldOf(fixture);
  // Long after requests of the whole list are limited.
  const clock = new ManualClock();
  const requests = new MemberRequests({ world, clock } as never, clock);
  const sent: NamedPayload[] = [];
  const session = {
    listener: { intents, user: '5', shard: [0, 1], kind: 'bot', application: { id: '5' }, scopes: [] },
    take: (event: string, data: string) => sent.push([event, data]),
    feed: (events: Iterable<NamedPayload>) => sent.push(...events),
  } as unknown as Session;
  const guild = world.tables.guilds.get(ids.riverBank);
  if (guild === undefined) throw new Error('no guild');
  const ask = (d: object) => {
    const why = requests.answer(session, guild, commands.requestMembers.parse({ guild_id: guild.id, ...d }));
    const all = sent.splice(0).map(([event, data]) => ({ event, data: JSON.parse(data) }));
    return why ?? all;
  };
  const users = (d: object) =>
    (ask(d) as { data: { members: { user: { username: string } }[] } }[]).flatMap(({ data }) =>
      data.members.map(({ user }) => user.username),
    );
  return { ask, users, clock };
}

const message = (task: () => unknown): string => {
  try {
    task();
    return 'none';
  } catch (error) {
    return (error as Error).message;
  }
};

describe('a request for members', () => {
  it('finds by the beginning of a user name or a nickname, in any case', () => {
    const { users } = asking();
    expect(users({ query: 'OT', limit: 5 })).toEqual(['otter']);
    expect(users({ query: 'lont', limit: 5 })).toEqual(['otter']);
    expect(users({ query: 'tter', limit: 5 })).toEqual([]);
    expect(users({ query: 'seal', limit: 3 })).toEqual(['seal0', 'seal1', 'seal2']);
    expect(users({ query: 'seal', limit: 0 })).toHaveLength(100);
    expect(users({ query: 'seal', limit: 101 })).toHaveLength(100);
    expect(users({ query: 'seal' })).toHaveLength(100);
    expect(users({ query: '', limit: 2 })).toHaveLength(2);
  });

  it('finds by id, each once, and names those that it does not find', () => {
    const { ask } = asking(0);
    expect(ask({ user_ids: [ids.otter, ids.otter, '5', 'x'] })).toMatchObject([
      {
        event: 'GUILD_MEMBERS_CHUNK',
        data: {
          guild_id: ids.riverBank,
          members: [{ user: { id: ids.otter } }],
          not_found: ['5', 'x'],
          chunk_index: 0,
          chunk_count: 1,
        },
      },
    ]);
    const [one] = ask({ user_ids: ids.heron }) as unknown as [{ data: object }];
    expect(one.data).not.toHaveProperty('not_found');
    expect(one.data).not.toHaveProperty('nonce');
    expect(one.data).not.toHaveProperty('presences');
    expect(ask({ user_ids: Array.from({ length: 100 }, (_, n) => String(n)) })).toHaveLength(1);
  });

  it.each([
    [{}, 'd.query or d.user_ids is needed'],
    [{ query: 'x', limit: -1 }, 'd.limit is less than 0'],
    [{ user_ids: Array.from({ length: 101 }, (_, n) => String(n)) }, 'd.user_ids has more than 100'],
  ])('closes the connection: %j', (d, why) => {
    expect(message(() => asking().ask(d))).toBe(`Error while decoding payload: ${why}`);
  });

  it('for the whole list or presences needs their intent', () => {
    expect(asking(0).ask({ query: '' })).toBe('the whole list is for sessions with the intent GUILD_MEMBERS');
    expect(asking().ask({ query: 'x', presences: true })).toBe(
      'presences are for sessions with the intent GUILD_PRESENCES',
    );
    expect(asking(INTENTS.GUILD_PRESENCES).ask({ query: 'otter', presences: true })).toMatchObject([
      { data: { presences: [] } },
    ]);
  });

  it('for the whole list is answered once in 30 seconds for each guild', () => {
    const { ask, clock, users } = asking();
    expect(users({ query: '', limit: 0 }).length).toBeGreaterThan(120);
    clock.advance(10_000);
    expect(ask({ query: '', nonce: 'n' })).toEqual([
      {
        event: 'RATE_LIMITED',
        data: { opcode: 8, retry_after: 20, meta: { guild_id: ids.riverBank, nonce: 'n' } },
      },
    ]);
    clock.advance(19_999);
    expect(ask({ query: '' })).toEqual([
      { event: 'RATE_LIMITED', data: { opcode: 8, retry_after: 0.001, meta: { guild_id: ids.riverBank } } },
    ]);
    clock.advance(1);
    expect(users({ query: '' }).length).toBeGreaterThan(120);
    // A clock that was set back.
    clock.advance(-1);
    expect(users({ query: '' }).length).toBeGreaterThan(120);
  });

  it('has its nonce in the reply, unless it is longer than 32 bytes', () => {
    const { ask } = asking();
    const nonce = (text: string) =>
      (ask({ query: 'otter', nonce: text }) as unknown as [{ data: { nonce?: string } }])[0].data.nonce;
    expect([nonce('x'.repeat(32)), nonce('x'.repeat(33)), nonce('é'.repeat(17))]).toEqual([
      'x'.repeat(32),
      undefined,
      undefined,
    ]);
  });
});

it('what is not offered is counted over all servers', () => {
  const of = (...counts: [string, number][]) => ({ missing: () => new Map(counts) }) as never;
  expect([...missingOf([of(['a', 1], ['b', 2]), of(['a', 3])])]).toEqual([
    ['a', 4],
    ['b', 2],
  ]);
});

it('members who are removed before their chunk is sent are not in it', () => {
  const many = Array.from({ length: 1100 }, (_, n) => ({ id: String(7000 + n), username: `seal${n}` }));
  const { fixture } = patch(defaultFixture(), { users: many });
  const world = worldOf(fixture);
  const requests = new MemberRequests({ world, clock: new ManualClock() } as never, new ManualClock());
  const fed: Iterator<NamedPayload>[] = [];
  const session = {
    listener: { intents: INTENTS.GUILD_MEMBERS, user: '5', kind: 'bot', application: { id: '5' } },
    feed: (events: Iterable<NamedPayload>) => fed.push(events[Symbol.iterator]()),
  } as unknown as Session;
  const guild = world.tables.guilds.get(ids.riverBank);
  if (guild === undefined) throw new Error('no guild');
  const ask = (d: object) =>
    requests.answer(session, guild, commands.requestMembers.parse({ guild_id: guild.id, ...d }));
  expect(ask({ query: '', limit: 0 })).toBeUndefined();
  const next = () => {
    const { value } = (fed[0]?.next() ?? {}) as { value?: NamedPayload };
    const { members, chunk_index, chunk_count } = JSON.parse(value?.[1] ?? '{}');
    return {
      names: members?.map(({ user }: { user: { username: string } }) => user.username),
      chunk_index,
      chunk_count,
    };
  };
  const first = next();
  expect([first.names.length, first.chunk_index, first.chunk_count]).toEqual([1000, 0, 2]);
  const left = many.map(({ username }) => username).filter((name) => !first.names.includes(name));
  const [gone] = left;
  world.transaction(({ users }) => users.remove(many.find(({ username }) => username === gone)?.id ?? ''));
  const second = next();
  expect([second.chunk_index, second.chunk_count]).toEqual([1, 2]);
  expect(second.names).not.toContain(gone);
  expect(second.names).toEqual(expect.arrayContaining(left.slice(1)));
  expect(next().names).toBeUndefined();
  // A guild that is gone has no chunk.
  expect(ask({ query: 'seal', limit: 1 })).toBeUndefined();
  world.transaction(({ guilds }) => guilds.remove(guild.id));
  expect(fed[1]?.next()).toEqual({ done: true, value: undefined });
});
