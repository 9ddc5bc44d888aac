import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyKey } from 'discord-interactions';
import { expect, it, onTestFinished } from 'vitest';
import { interactionShape } from '../../../src/emulator/interactions/payload.ts';
import { verifyKeyOf } from '../../../src/emulator/kernel/application-key.ts';
import { ids } from '../../helpers/emulator-world.ts';
import { APP } from '../../helpers/platform.ts';
import { usedPlatform } from '../../helpers/used-application.ts';

/** What an application answers over HTTP. */
interface Answered {
  readonly status: number;
  readonly text: string;
}

const MESSAGE = { status: 200, text: '{"type":4,"data":{"content":"High"}}' };

/** An application that takes interactions over HTTP; `answer` says what to all but a PING. */
async function application({
  checks = true,
  answer = MESSAGE,
}: {
  checks?: boolean;
  answer?: Answered | 'never';
} = {}) {
  const told: unknown[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const raw = Buffer.concat(parts);
      const [signature, time] = ['x-signature-ed25519', 'x-signature-timestamp'].map((name) =>
        String(request.headers[name]),
      );
      void verifyKey(raw, signature ?? '', time ?? '', verifyKeyOf(APP)).then((isGenuine) => {
        const body = JSON.parse(raw.toString()) as { type: number };
        if (checks && !isGenuine) return response.writeHead(401).end();
        if (body.type === 1) return response.writeHead(200).end('{"type":1}');
        told.push(body);
        return answer === 'never' ? undefined : response.writeHead(answer.status).end(answer.text);
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/interactions`, told };
}

it('an interactions endpoint is accepted after it answers a PING and rejects a wrong signature [W-3]', async () => {
  const { ask, refused } = await usedPlatform();
  const [good, careless] = [await application(), await application({ checks: false })];
  const path = '/applications/@me';
  for (const url of [careless.url, 'https://example.test/', 'http://192.0.2.1/', 'http://127.0.0.1:1/']) {
    const { body } = await refused(`PATCH ${path}`, { interactions_endpoint_url: url });
    expect(body.errors.interactions_endpoint_url._errors[0].code, url).toBe(
      'APPLICATION_INTERACTIONS_ENDPOINT_URL_INVALID',
    );
  }
  const set = await ask(`PATCH ${path}`, { interactions_endpoint_url: good.url });
  expect(set.body.interactions_endpoint_url).toBe(good.url);
  expect(
    (await ask(`PATCH ${path}`, { interactions_endpoint_url: '' })).body.interactions_endpoint_url,
  ).toBeNull();
});

it('an interaction over HTTP has user, channel, permissions and resolved data, and gets a response [W-3, O-10]', async () => {
  const { url, told } = await application();
  const { use, emulator, hook } = await usedPlatform({
    applications: [{ id: APP, interactions_endpoint_url: url }],
  });
  const file = await emulator.interactions.storeFile({
    name: 'map.png',
    type: 'image/png',
    bytes: Buffer.from('x'),
  });
  const resolves = {
    users: [ids.heron],
    roles: [ids.riverBank],
    channels: [ids.lounge],
    attachments: [file.id],
  };
  const used = use({ resolves });
  await emulator.interactions.settled(used.id);
  expect(emulator.userActions.viewOf(used.id)).toMatchObject({
    state: 'answered',
    message: { content: 'High' },
  });
  expect((await hook(used, 'GET', '/messages/@original')).body.content).toBe('High');
  const [first] = told;
  expect(interactionShape.safeParse(first).error).toBeUndefined();
  const bits = expect.stringMatching(/^[1-9]\d*$/);
  expect(first).toMatchObject({
    id: used.id,
    application_id: APP,
    token: used.token,
    type: 2,
    version: 1,
    guild_id: ids.riverBank,
    guild: { id: ids.riverBank, locale: 'en-US' },
    guild_locale: 'en-US',
    locale: 'en-US',
    channel: { id: ids.general, name: 'general', permissions: bits },
    channel_id: ids.general,
    member: { user: { id: ids.river }, permissions: bits },
    app_permissions: bits,
    entitlements: [{ application_id: APP, user_id: ids.river }],
    authorizing_integration_owners: { 0: ids.riverBank },
    context: 0,
    attachment_size_limit: 20 * 1024 * 1024,
    data: {
      name: 'tide',
      resolved: {
        users: { [ids.heron]: { username: 'heron' } },
        members: { [ids.heron]: { permissions: bits } },
        roles: { [ids.riverBank]: { id: ids.riverBank } },
        channels: { [ids.lounge]: { permissions: bits, app_permissions: bits } },
        attachments: { [file.id]: { filename: 'map.png', ephemeral: true } },
      },
    },
  });
  expect(first).not.toHaveProperty('user');
  await emulator.apply({ guilds: [{ id: ids.riverBank, members: [{ user: APP, remove: true }] }] });
  await emulator.interactions.settled(use({ resolves }).id);
  const [, outside] = told as { data: { resolved: { channels: Record<string, object> } } }[];
  expect(outside?.data.resolved.channels[ids.lounge]).not.toHaveProperty('app_permissions');
});

const embeds = Array.from({ length: 10 }, () => ({ title: 'x'.repeat(300), description: 7, url: 'y' }));

it.each<[string, Answered, string]>([
  [
    'another status',
    { status: 500, text: '{"type":4,"data":{"content":"x"}}' },
    'answered with 500, not with 200',
  ],
  ['a redirect', { status: 302, text: '' }, 'answered with 302, not with 200'],
  ['no JSON', { status: 200, text: 'High' }, 'answered with invalid JSON'],
  ['no body', { status: 200, text: '' }, 'answered with invalid JSON'],
  [
    'nothing that it can be',
    { status: 200, text: '{"type":6}' },
    `its answer is refused: Invalid Form Body: ${JSON.stringify({
      type: { _errors: [{ code: 'BASE_TYPE_CHOICES', message: 'Value must be one of {4, 5, 9, 10, 12}.' }] },
    })}`,
  ],
  [
    'an empty message',
    { status: 200, text: '{"type":4,"data":{}}' },
    'its answer is refused: Cannot send an empty message',
  ],
])('%s from an endpoint fails, and nothing is written [W-3]', async (_, answer, reason) => {
  const { url } = await application({ answer });
  const { use, emulator } = await usedPlatform({
    applications: [{ id: APP, interactions_endpoint_url: url }],
  });
  const before = emulator.exportState();
  const { id } = use();
  await emulator.interactions.settled(id);
  expect(emulator.userActions.viewOf(id)).toMatchObject({ state: 'failed', reason: `${url}: ${reason}` });
  expect(emulator.exportState()).toBe(before);
});

it('a refusal of many faults from an endpoint is cut [W-3]', async () => {
  const { url } = await application({
    answer: { status: 200, text: JSON.stringify({ type: 4, data: { embeds } }) },
  });
  const { use, emulator } = await usedPlatform({
    applications: [{ id: APP, interactions_endpoint_url: url }],
  });
  const { id } = use();
  await emulator.interactions.settled(id);
  const { reason = '' } = emulator.userActions.viewOf(id);
  const start = `${url}: its answer is refused: Invalid Form Body: `;
  expect(reason.slice(0, start.length)).toBe(start);
  expect(reason).toHaveLength(start.length + 2000);
});

it('an answer of an endpoint that comes after the callback changes nothing [W-3]', async () => {
  const { url, told } = await application({ answer: 'never' });
  const { use, answer, emulator } = await usedPlatform({
    applications: [{ id: APP, interactions_endpoint_url: url }],
  });
  const used = use();
  await expect.poll(() => told.length).toBe(1);
  expect((await answer(used, { type: 4, data: { content: 'Low' } })).status).toBe(204);
  emulator.interactions.fail(used.id, 'too late');
  await emulator.interactions.settled(used.id);
  expect(emulator.interactions.get(used.id)?.state.kind).toBe('answered');
});

it('an interactions endpoint may answer 202, and respond later with the callback [W-3]', async () => {
  const { url } = await application({ answer: { status: 202, text: '' } });
  const { use, emulator, answer } = await usedPlatform({
    applications: [{ id: APP, interactions_endpoint_url: url }],
  });
  const used = use();
  expect((await answer(used, { type: 4, data: { content: 'Low' } })).status).toBe(204);
  await emulator.interactions.settled(used.id);
  expect(emulator.userActions.viewOf(used.id)).toMatchObject({
    state: 'answered',
    message: { content: 'Low' },
  });
});
