// 0 is an id, which no record has: libraries send it for the beginning of a list and for what is new.
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { isRequestId } from '../../../../src/emulator/api/fields.ts';
import { schemaNode } from '../../../../src/emulator/api/schema-node.ts';
import { operations } from '../../../../src/emulator/compose/operations.ts';
import { objectOf, textsOf } from '../../../../src/emulator/serve/http/texts.ts';
import { botPlatform } from '../../../helpers/bot-member.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { guildPlatform } from '../../../helpers/guild-platform.ts';
import { type Around, placesOf } from './id-places.ts';

const NOT_SNOWFLAKE = 'Value is not snowflake.';

/** Whether a schema refuses a value because an id in it is none, in any alternative of a union. */
function refusesId(schema: z.ZodType, value: unknown): boolean {
  const isOfId = (issue: z.core.$ZodIssue): boolean =>
    issue.code === 'invalid_union'
      ? issue.errors.some((one) => one.some(isOfId))
      : issue.code === 'custom' && issue.params?.['message'] === NOT_SNOWFLAKE;
  return schema.safeParse(value).error?.issues.some(isOfId) === true;
}

interface Place {
  readonly schema: z.ZodType;
  readonly build: Around;
}

/** Places of ids in the queries and bodies of all operations. The output of a schema has those that a text becomes. */
const places = new Map<string, Place>();
for (const { id, query, body } of operations) {
  for (const [kind, schema] of [
    ['query', query],
    ['body', body?.schema],
  ] as const) {
    if (schema === undefined) continue;
    for (const io of ['input', 'output'] as const) {
      const root = schemaNode(schema, io);
      for (const [place, around] of placesOf(root)) {
        const ofQuery: Around = (value) =>
          objectOf(schema, textsOf([[place.split('.')[0] ?? '', String(value)]]));
        places.set(`${kind} of ${id}: ${place}`, { schema, build: kind === 'query' ? ofQuery : around });
      }
    }
  }
}

it('ids stand in more than 150 places of queries and bodies', () => {
  expect(places.size).toBeGreaterThan(150);
});

it.each([...places])('the %s may be 0, and no text that is no id', (_, { schema, build }) => {
  expect(refusesId(schema, build('x'))).toBe(true);
  expect(refusesId(schema, build('0'))).toBe(false);
  expect(refusesId(schema, build(0))).toBe(false);
});

it.each(['0', '1', '9223372036854775807'])('%s is an id in a path', (text) => {
  expect(isRequestId(text)).toBe(true);
});

it.each(['', '00', '01', '-0', '-1', '0x0', ' 0', '0.0', '9223372036854775808'])('%j is no id', (text) => {
  expect(isRequestId(text)).toBe(false);
});

describe('a history of messages', () => {
  const MESSAGES = `/channels/${ids.general}/messages`;

  async function history(query: string) {
    const { ask } = await botPlatform();
    for (const content of ['one', 'two']) await ask(`POST ${MESSAGES}`, { content });
    const newest = (await ask(`GET ${MESSAGES}?limit=1`)).body[0].id as string;
    const { status, body } = await ask(`GET ${MESSAGES}?${query}`);
    const all = (await ask(`GET ${MESSAGES}?limit=100`)).body as readonly { readonly id: string }[];
    return { status, newest, all, found: (body as readonly { readonly id: string }[]).map(({ id }) => id) };
  }

  it.each(['discord.py', 'disnake', 'hikari', 'discord.js', 'discordgo'])(
    'begins at its oldest message after 0, as %s asks',
    async () => {
      const { status, found, all } = await history('after=0&limit=2');
      expect(status).toBe(200);
      expect(found).toEqual(all.slice(-2).map(({ id }) => id));
    },
  );

  it('is empty before 0, and around 0 has the oldest', async () => {
    expect(await history('before=0')).toMatchObject({ status: 200, found: [] });
    const { status, found, all } = await history('around=0&limit=2');
    expect(status).toBe(200);
    expect(found).toContain(all.at(-1)?.id);
  });

  it('is searched from min_id 0', async () => {
    const { ask, emulator } = await botPlatform();
    await ask(`POST ${MESSAGES}`, { content: 'tide' });
    emulator.clock.advance(60_000);
    const path = `/guilds/${ids.riverBank}/messages/search`;
    const search = () => ask(`GET ${path}?content=tide&min_id=0`);
    await expect.poll(async () => (await search()).status).toBe(200);
    expect((await search()).body.messages.length).toBeGreaterThan(0);
  });
});

it('users and roles with the id 0 are mentioned by nobody', async () => {
  const { ask } = await botPlatform();
  const allowed_mentions = { parse: [], users: ['0'], roles: ['0'] };
  const sent = await ask(`POST /channels/${ids.general}/messages`, {
    content: `<@${ids.heron}> <@0> <@&0>`,
    allowed_mentions,
  });
  expect(sent).toMatchObject({ status: 200, body: { mentions: [], mention_roles: [] } });
});

it('a tag of a forum with the id 0 is new, and so is each further one', async () => {
  const { call, bot, emulator } = await guildPlatform(['MANAGE_CHANNELS', 'VIEW_CHANNEL']);
  const tag = (name: string) => ({ id: '0', name, moderated: false, emoji_id: null, emoji_name: null });
  const made = await call(`POST /guilds/${ids.riverBank}/channels`, {
    headers: bot(),
    json: { name: 'delta', type: 15, available_tags: [tag('ebb'), tag('flood')] },
  });
  expect(made.status).toBe(201);
  const [ebb, flood] = made.body.available_tags;
  expect([ebb.id, flood.id].every((id) => /^[1-9]\d+$/.test(id))).toBe(true);
  expect(ebb.id).not.toBe(flood.id);
  const changed = await call(`PATCH /channels/${made.body.id}`, {
    headers: bot(),
    json: { available_tags: [ebb, tag('slack')] },
  });
  expect(changed).toMatchObject({ status: 200, body: { available_tags: [ebb, { name: 'slack' }] } });
  expect(changed.body.available_tags[1].id).not.toBe('0');
  emulator.importState(emulator.exportState(), 'x');
});
