// Whatever is wrong about a request is refused as the contract has it, and leaves the state as it was: for every operation.
import { expect, it } from 'vitest';
import type * as z from 'zod';
import { schemaNode } from '../../../../src/emulator/api/schema-node.ts';
import { operations } from '../../../../src/emulator/compose/operations.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { APP, type PlatformAnswer, type TestPlatform, testPlatform } from '../../../helpers/platform.ts';
import { ASKED as ASKED_IN_PUBLIC } from './asked.ts';
import { ASKED_BESIDE } from './asked-beside.ts';
import { bodyRows, type Good, pathRows, type Row } from './bad-input-rows.ts';
import {
  FREE,
  GONE_WITHOUT,
  isOfGuild,
  JUDGED_ELSEWHERE,
  NEEDS_NO_MEMBERSHIP,
  SECRETIVE,
  TRANSLATED,
} from './bad-input-tables.ts';
import { merged, placesOf } from './id-places.ts';

const ASKED = { ...ASKED_IN_PUBLIC, ...ASKED_BESIDE };
const asked = operations.filter(({ id }) => ASKED[id] !== undefined);
const ofGuilds = asked.filter(isOfGuild);
const idsOf = (some: typeof asked) => some.map(({ id }) => id);

const UNKNOWN_GUILD = 10004;
const MISSING_ACCESS = 50001;
const MISSING_PERMISSIONS = 50013;
const UNAUTHORIZED = { status: 401, body: { message: '401: Unauthorized', code: 0 } };

/** A platform on which the operation is about to be asked by somebody who may. */
async function good(id: string): Promise<Good & { readonly platform: TestPlatform }> {
  const operation = operations.find((one) => one.id === id);
  const ask = ASKED[id];
  if (operation === undefined || ask === undefined) throw new Error(`nobody says how ${id} is asked`);
  const platform = await testPlatform();
  const [what, request] = await ask(platform);
  // The account of a bot is there from its first request on.
  await platform.call('GET /users/@me', { headers: platform.bot() });
  return { operation, what, request, platform };
}

/** Asks what has to be refused, and holds the state before against the one after. */
async function refused(
  { platform }: Pick<Awaited<ReturnType<typeof good>>, 'platform'>,
  rows: readonly Row[],
): Promise<void> {
  const before = platform.emulator.exportState();
  for (const { wrong, what, request, status, code, field } of rows) {
    const answer = await platform.call(what, request);
    const told = `with ${wrong}: ${JSON.stringify(answer.body)}`;
    expect([answer.status, answer.body.code], told).toEqual([status, code]);
    if (field !== undefined) expect(Object.keys(answer.body.errors), told).toContain(field);
  }
  if (platform.emulator.exportState() === before) return;
  // Only now one by one, which takes its time: what each of them changes on top.
  let last = before;
  for (const { wrong, what, request } of rows) {
    await platform.call(what, request);
    const now = platform.emulator.exportState();
    expect(now === last, `the state is another with ${wrong}`).toBe(true);
    last = now;
  }
  expect.unreachable('the state is another after all of them');
}

it('every operation is tested with bad input, here or in its own tests [R-8]', () => {
  const here = idsOf(asked);
  const elsewhere = Object.keys(JUDGED_ELSEWHERE);
  const both = idsOf([...operations]);
  expect([...here, ...elsewhere].sort()).toEqual(both.sort());
});

it.each(idsOf(asked))(
  '%s refuses unknown ids, invalid bodies and unauthorized requesters [R-7, U-1]',
  async (id) => {
    const asking = await good(id);
    const named = bodyRows(asking);
    const rows = TRANSLATED.includes(id) ? named.map(({ field: _field, ...row }) => row) : named;
    await refused(asking, [...pathRows(asking), ...rows]);
    const { who } = asking.operation;
    if (who.every(({ kind }) => kind === 'bot' || kind === 'bearer')) await refusesTokens(asking);
  },
);

it.each(idsOf(asked.filter(({ body }) => body?.kinds.includes('json'))))(
  '%s with 0 as an id of its body leaves a state that can be read again',
  async (id) => {
    const { operation, what, request, platform } = await good(id);
    const root = schemaNode(operation.body?.schema as z.ZodType, 'input');
    for (const [place, around] of placesOf(root)) {
      const json = merged(request.json, around('0'));
      const { status, body } = await platform.call(what, { ...request, json });
      expect(status, `${place}: ${JSON.stringify(body)}`).toBeLessThan(500);
      platform.emulator.importState(platform.emulator.exportState(), place);
    }
  },
);

/** No token, a wrong one, or one of another kind or scope. */
async function refusesTokens(asking: Awaited<ReturnType<typeof good>>): Promise<void> {
  const { platform, what, request, operation } = asking;
  const { bot, bearer, call, emulator } = platform;
  const { headers: _token, ...rest } = request;
  const as = (authorization: string) => call(what, { ...rest, headers: { authorization } });
  const kinds = operation.who.map(({ kind }) => kind);
  const scopes = operation.who.flatMap((one) => (one.kind === 'bearer' ? one.scopes : []));
  const other = ['connections', 'email', 'guilds'].find((scope) => !scopes.includes(scope)) ?? '';
  const person = await bearer([other]);
  const before = emulator.exportState();
  for (const wrong of ['', 'Bot x.y.z', 'Bearer x', 'Basic eA==', `${bot().authorization}x`]) {
    expect(await (wrong === '' ? call(what, rest) : as(wrong)), wrong).toMatchObject(UNAUTHORIZED);
  }
  const refusal = (answer: PlatformAnswer) => [answer.status, answer.body.code];
  if (!kinds.includes('bearer')) expect(refusal(await as(person.authorization))).toEqual([403, 20002]);
  else if (scopes.length > 0) expect(refusal(await as(person.authorization))).toEqual([403, 50026]);
  if (!kinds.includes('bot')) expect(refusal(await as(bot().authorization))).toEqual([403, 20001]);
  expect(emulator.exportState() === before).toBe(true);
}

it.each(idsOf(ofGuilds))('%s requires permissions before it does anything [B-1..5]', async (id) => {
  const { platform, what, request } = await good(id);
  await platform.emulator.apply({ guilds: [stripped(platform, ids.riverBank)] });
  const before = platform.emulator.exportState();
  const { status, body } = await platform.call(what, request);
  if (FREE[id] !== undefined) {
    expect(status, `needs a right, and is not said to: ${JSON.stringify(body)}`).toBeLessThan(300);
    return;
  }
  expect(status, JSON.stringify(body)).toBe(GONE_WITHOUT.includes(id) ? 404 : 403);
  if (status === 403) expect([MISSING_ACCESS, MISSING_PERMISSIONS]).toContain(body.code);
  expect(platform.emulator.exportState() === before).toBe(true);
});

/** A guild in which nobody has a right by a role. */
function stripped({ emulator }: TestPlatform, id: string) {
  const roles = [...emulator.tables.roles.by('guild', id)].map((role) => ({ id: role.id, permissions: [] }));
  return { id, owner: 'heron', roles };
}

it.each(idsOf(ofGuilds))('%s refuses a bot that is not a member [R-8]', async (id) => {
  const { platform, what, request } = await good(id);
  if (platform.emulator.tables.members.has(`${ids.riverBank} ${APP}`)) {
    await platform.emulator.apply({
      guilds: [{ id: ids.riverBank, owner: 'heron', members: [{ user: APP, remove: true }] }],
    });
  }
  const before = platform.emulator.exportState();
  const { status, body } = await platform.call(what, request);
  if (NEEDS_NO_MEMBERSHIP[id] !== undefined) {
    expect(status, `asks for membership, and is not said to: ${JSON.stringify(body)}`).toBeLessThan(300);
    return;
  }
  expect([status, body.code], JSON.stringify(body)).toEqual(
    SECRETIVE.includes(id) ? [404, UNKNOWN_GUILD] : [403, MISSING_ACCESS],
  );
  expect(platform.emulator.exportState() === before).toBe(true);
});
