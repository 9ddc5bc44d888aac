import { describe, expect, it } from 'vitest';
import { botPlatform } from '../../../helpers/bot-member.ts';
import { address, asking, CHALLENGE, open, REDIRECT, VERIFIER } from '../../../helpers/browser-pages.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { APP, testPlatform } from '../../../helpers/platform.ts';

const MESSAGES = `/channels/${ids.general}/messages`;
const HOOK = '/webhooks/900/tide?wait=true';

const hooked = () =>
  botPlatform({ channel_webhooks: [{ id: '900', channel: ids.general, name: 'Tide table', token: 'tide' }] });

/** Fields as multipart, and what there is beside them. */
function multipart(
  fields: Readonly<Record<string, string>>,
  file?: { readonly name: string; readonly text: string },
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (file !== undefined) form.set('files[0]', new Blob([file.text]), file.name);
  return form;
}

/** Every optional field of a webhook's form, empty. */
const EMPTY = {
  content: '',
  username: '',
  avatar_url: '',
  tts: '',
  flags: '',
  thread_name: '',
  applied_tags: '',
  embeds: '',
  allowed_mentions: '',
  components: '',
  attachments: '',
  poll: '',
  nobody_knows_it: '',
};

describe('an empty field of a form', () => {
  it('counts as omitted beside a file', async () => {
    const { call } = await hooked();
    const answer = await call(`POST ${HOOK}`, {
      body: multipart(EMPTY, { name: 'notes.txt', text: '06:12 high' }),
    });
    expect(answer).toMatchObject({
      status: 200,
      body: { content: '', author: { username: 'Tide table', avatar: null }, tts: false },
    });
    expect(answer.body.attachments).toHaveLength(1);
  });

  it('counts as omitted in a form without files', async () => {
    const { call } = await hooked();
    const form = { ...EMPTY, content: 'High water' };
    expect(await call(`POST ${HOOK}`, { form })).toMatchObject({
      status: 200,
      body: { content: 'High water', author: { username: 'Tide table' }, tts: false },
    });
  });

  it('is missing when it is required, and does not hide other faults', async () => {
    const { call, bot } = await botPlatform();
    const form = { name: '', type: '11', auto_archive_duration: 'tide' };
    const answer = await call(`POST /channels/${ids.general}/threads`, { headers: bot(), form });
    expect(answer).toMatchObject({
      status: 400,
      body: {
        code: 50035,
        errors: {
          name: { _errors: [{ code: 'BASE_TYPE_REQUIRED' }] },
          auto_archive_duration: { _errors: [expect.anything()] },
        },
      },
    });
  });

  it('is an empty text when the field allows one, and removes the earlier text', async () => {
    const { call } = await hooked();
    const body = multipart({ content: 'Low water' }, { name: 'notes.txt', text: '12:20 low' });
    const { body: written } = await call(`POST ${HOOK}`, { body });
    const edited = await call(`PATCH /webhooks/900/tide/messages/${written.id}`, { form: { content: '' } });
    expect(edited).toMatchObject({ status: 200, body: { content: '', attachments: [{}] } });
  });

  it('counts as omitted in a list', async () => {
    const { call, bot } = await botPlatform();
    const send = (sticker_ids: string) =>
      call(`POST ${MESSAGES}`, { headers: bot(), form: { content: 'tide', sticker_ids } });
    expect((await send('')).status).toBe(200);
    expect((await send('tide')).status).toBe(400);
  });

  it('counts as omitted beside payload_json, and so does an empty payload_json', async () => {
    const { call, bot } = await botPlatform();
    const send = (fields: Readonly<Record<string, string>>) =>
      call(`POST ${MESSAGES}`, { headers: bot(), body: multipart(fields) });
    const payload_json = JSON.stringify({ content: 'tide' });
    expect(await send({ payload_json, content: '', tts: '' })).toMatchObject({
      status: 200,
      body: { content: 'tide' },
    });
    expect(await send({ payload_json: '', content: 'ebb' })).toMatchObject({
      status: 200,
      body: { content: 'ebb' },
    });
    expect((await send({ payload_json, content: 'ebb' })).status).toBe(400);
  });

  it('is refused in JSON', async () => {
    const { call } = await hooked();
    for (const name of ['avatar_url', 'thread_name', 'tts']) {
      const { status } = await call(`POST ${HOOK}`, { json: { content: 'tide', [name]: '' } });
      expect([name, status]).toEqual([name, 400]);
    }
  });
});

describe('a file of a form', () => {
  it('without a name and without bytes counts as omitted', async () => {
    const { call, bot } = await botPlatform();
    const line = (name: string, more: string, value: string) =>
      `--XX\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
    const send = (file: string, value: string) =>
      call(`POST ${MESSAGES}`, {
        headers: { ...bot(), 'content-type': 'multipart/form-data; boundary=XX' },
        body: `${line('content', '', 'tide')}${line('files[0]', `; filename="${file}"`, value)}--XX--\r\n`,
      });
    const counts = [];
    for (const [name, value] of [
      ['', ''],
      ['', 'high'],
      ['a.txt', ''],
    ] as const) {
      const { status, body } = await send(name, value);
      counts.push([status, body.attachments?.length]);
    }
    expect(counts).toEqual([
      [200, 0],
      [200, 1],
      [200, 1],
    ]);
  });
});

describe('a parameter of OAuth 2.0 without a value', () => {
  it('counts as omitted in the address of the page [RFC 6749, 3.1]', async () => {
    const platform = await testPlatform(undefined, asking);
    const empty = {
      response_type: '',
      integration_type: '',
      guild_id: '',
      permissions: '',
      channel_id: '',
      disable_guild_select: '',
      prompt: '',
      nonce: '',
      code_challenge: '',
      code_challenge_method: '',
    };
    const { status, body } = await open(platform, address(empty));
    expect([status, body.includes('wants to act for river')]).toEqual([200, true]);
  });

  it.each(['form', 'multipart'] as const)('counts as omitted in a %s [RFC 6749, 3.2]', async (kind) => {
    const platform = await testPlatform();
    const query = new URLSearchParams({
      client_id: APP,
      redirect_uri: REDIRECT,
      response_type: 'code',
      scope: 'identify',
      state: '',
      guild_id: '',
      integration_type: '',
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
    });
    const { body: shown } = await platform.call(`POST /oauth2/authorize?${query.toString()}`, { json: {} });
    const address = new URL(shown.url);
    expect(address.searchParams.has('state')).toBe(false);
    const fields = {
      grant_type: 'authorization_code',
      code: address.searchParams.get('code') ?? '',
      redirect_uri: REDIRECT,
      code_verifier: VERIFIER,
      client_id: APP,
      client_secret: '',
      external_auth_type: '',
      external_auth_token: '',
      scope: '',
    };
    const sent = (form: Readonly<Record<string, string>>) =>
      platform.call('POST /oauth2/token', kind === 'form' ? { form } : { body: multipart(form) });
    expect(await sent({ ...fields, code: '' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', error_description: 'Missing "code" in request.' },
    });
    expect(await sent({ ...fields, grant_type: '' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
    expect((await sent(fields)).status).toBe(200);
  });
});
