// discord-interactions stands between us and the application, as its middleware does in one: nothing else looks at a signature.
import { verifyKey } from 'discord-interactions';
import { expect, it } from 'vitest';
import type { TestEmulator } from '../../src/testing/testing.ts';
import { APP, botToken, listening, post, story, tokensOf } from './story.ts';

interface Delivery {
  readonly isGenuine: boolean;
  readonly body: {
    readonly type: number;
    readonly application_id: string;
    readonly event?: { readonly type: string; readonly data: Readonly<Record<string, unknown>> };
  };
}

/** An application that answers as its `verifyKey` says, and tells what came. */
async function application(publicKey: string) {
  const deliveries: Delivery[] = [];
  const url = await listening((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks);
      const [signature, timestamp] = ['x-signature-ed25519', 'x-signature-timestamp'].map((name) =>
        String(request.headers[name]),
      );
      void verifyKey(raw, signature ?? '', timestamp ?? '', publicKey).then((isGenuine) => {
        deliveries.push({ isGenuine, body: JSON.parse(raw.toString('utf8')) });
        response.writeHead(isGenuine ? 204 : 401).end();
      });
    });
  });
  const events = () => deliveries.filter(({ body }) => body.type === 1).map(({ body }) => body.event);
  return { url, deliveries, events };
}

async function verifyKeyOf({ api }: TestEmulator): Promise<string> {
  const headers = { authorization: `Bot ${botToken()}` };
  const answer = await fetch(`${api}/v10/applications/@me`, { headers });
  return ((await answer.json()) as { readonly verify_key: string }).verify_key;
}

it('discord-interactions takes every real delivery, and refuses the probe with a wrong signature', async () => {
  const emulator = await story();
  const app = await application(await verifyKeyOf(emulator));
  await emulator.operations.call('webhook.set', { app: APP, url: `${app.url}/events` });
  expect(app.deliveries).toMatchObject([
    { isGenuine: true, body: { type: 0, application_id: APP } },
    { isGenuine: false },
  ]);
  const { access_token } = await tokensOf(emulator, { scope: 'identify' });
  await expect
    .poll(app.events)
    .toMatchObject([
      { type: 'APPLICATION_AUTHORIZED', data: { scopes: ['identify'], user: { username: 'river' } } },
    ]);
  await post(emulator, '/oauth2/token/revoke', { token: access_token, client_id: APP });
  await expect.poll(app.events).toHaveLength(2);
  expect(app.events()[1]).toMatchObject({
    type: 'APPLICATION_DEAUTHORIZED',
    data: { user: { username: 'river' } },
  });
  expect(app.deliveries.filter(({ isGenuine }) => !isGenuine)).toHaveLength(1);
});

it('discord-interactions refuses the deliveries of another application', async () => {
  const emulator = await story();
  const app = await application('0'.repeat(64));
  await expect(
    emulator.operations.call('webhook.set', { app: APP, url: `${app.url}/events` }),
  ).rejects.toThrow('answered the PING with 401');
});
