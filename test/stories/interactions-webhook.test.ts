// An application without a connection: discord-interactions stands in front of it, as its documentation has it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { InteractionResponseType, InteractionType, verifyKeyMiddleware } from 'discord-interactions';
import { expect, it } from 'vitest';
import { botStory, GENERAL, played, RIVER } from './bot-world.ts';
import { APP, botToken, listening } from './story.ts';
import { verifyKeyOf } from './webhook-app.ts';

interface Asked {
  readonly type: number;
  readonly token: string;
  readonly application_id: string;
  readonly member: { readonly user: { readonly id: string } };
  readonly data: { readonly name?: string; readonly custom_id?: string };
}

/** What the middleware wants of express. */
type Request = IncomingMessage & { body?: unknown; readonly header: (name: string) => string | undefined };

/** The application: asks get `answer`, those that are not genuine what the middleware says. */
async function application(publicKey: string, answer: (asked: Asked) => object) {
  const asked: Asked[] = [];
  const verify = verifyKeyMiddleware(publicKey);
  const url = await listening((request: IncomingMessage, response: ServerResponse) => {
    const header = (name: string) => request.headers[name.toLowerCase()]?.toString();
    const given: Request = Object.assign(request, { header });
    verify(given as never, response as never, () => {
      const body = given.body as Asked;
      asked.push(body);
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer(body)));
    });
  });
  return { url, asked };
}

it('discord-interactions accepts signed requests, and the user receives its answers [W-3]', async () => {
  const emulator = await botStory();
  const headers = { authorization: `Bot ${botToken()}`, 'content-type': 'application/json' };
  const ask = (method: string, path: string, body: object) =>
    fetch(`${emulator.api}/v10${path}`, { method, headers, body: JSON.stringify(body) });
  const { url, asked } = await application(await verifyKeyOf(emulator), ({ type, data }) => {
    const content = type === InteractionType.MESSAGE_COMPONENT ? `pressed ${data.custom_id}` : 'High at noon';
    const components = [{ type: 1, components: [{ type: 2, style: 1, label: 'Again', custom_id: 'again' }] }];
    return type === InteractionType.MESSAGE_COMPONENT
      ? { type: InteractionResponseType.UPDATE_MESSAGE, data: { content } }
      : { type: InteractionResponseType.CHANNEL_MESSAGE_WITH_SOURCE, data: { content, components } };
  });
  const saved = await ask('PATCH', '/applications/@me', { interactions_endpoint_url: url });
  expect([saved.status, (await saved.json()) as object]).toMatchObject([
    200,
    { interactions_endpoint_url: url },
  ]);
  await ask('POST', `/applications/${APP}/commands`, { name: 'tide', description: 'When is it high' });

  const used = await played(emulator, 'interaction.use', { app: APP, command: '/tide', channel: GENERAL });
  expect(used).toMatchObject({ state: 'answered', message: { content: 'High at noon' } });
  expect(asked).toMatchObject([
    { type: 2, application_id: APP, data: { name: 'tide' }, member: { user: { id: RIVER } } },
  ]);
  const message = used.message.id;
  expect(await played(emulator, 'interaction.click', { message, button: 'again' })).toMatchObject({
    state: 'answered',
    message: { id: message, content: 'pressed again' },
  });
  // The token is good for more.
  const token = asked[0]?.token ?? '';
  const more = await ask('POST', `/webhooks/${APP}/${token}`, { content: 'Low at six' });
  expect([more.status, (await more.json()) as object]).toMatchObject([200, { content: 'Low at six' }]);
});

it('an interactions endpoint that fails the signature check is refused [W-3]', async () => {
  const emulator = await botStory();
  const { url } = await application('0'.repeat(64), () => ({}));
  const headers = { authorization: `Bot ${botToken()}`, 'content-type': 'application/json' };
  const refused = await fetch(`${emulator.api}/v10/applications/@me`, {
    method: 'PATCH',
    headers,
    body: JSON.stringify({ interactions_endpoint_url: url }),
  });
  expect([refused.status, (await refused.json()) as object]).toMatchObject([
    400,
    { code: 50035, errors: { interactions_endpoint_url: { _errors: [{}] } } },
  ]);
});
