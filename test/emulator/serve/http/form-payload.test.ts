// `payload_json` stands for the whole body in every form, whatever its encoding and the type of its part.
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { operations } from '../../../../src/emulator/compose/operations.ts';
import { bodyOf } from '../../../../src/emulator/serve/http/body.ts';
import { UploadRoom } from '../../../../src/emulator/serve/http/upload-room.ts';
import { botPlatform } from '../../../helpers/bot-member.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { APP } from '../../../helpers/platform.ts';
import { usedPlatform } from '../../../helpers/used-application.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const MULTIPART = { 'content-type': 'multipart/form-data; boundary=XX' };

const urlEncoded = (payload: string) => `payload_json=${encodeURIComponent(payload)}`;
const part = (name: string, value: string, { file = '', type = '' } = {}): string =>
  `--XX\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${type === '' ? '' : `Content-Type: ${type}\r\n`}\r\n${value}\r\n`;
const multipart = (...parts: readonly string[]): string => `${parts.join('')}--XX--\r\n`;

/** How libraries write `payload_json`, with the headers that they send. */
const WRITTEN: readonly (readonly [library: string, (payload: string) => string, headers: typeof FORM])[] = [
  ['pycord, in a URL-encoded form', urlEncoded, FORM],
  ['disnake, as text', (payload) => multipart(part('payload_json', payload)), MULTIPART],
  [
    'hikari, as application/octet-stream',
    (payload) => multipart(part('payload_json', payload, { type: 'application/octet-stream' })),
    MULTIPART,
  ],
  [
    'a program with a Blob, with a file name',
    (payload) =>
      multipart(
        part('payload_json', payload, { file: '; filename="blob"', type: 'application/octet-stream' }),
      ),
    MULTIPART,
  ],
  [
    'dysnomia, as application/json',
    (payload) => multipart(part('payload_json', payload, { type: 'application/json' })),
    MULTIPART,
  ],
];

/** Operations whose errors are those of OAuth 2.0 have forms of their own. */
const taking = operations.filter(({ body, errors }) => body?.kinds.includes('form') && errors === 'api');

it('forms are taken by more than ten operations', () => {
  expect(taking.length).toBeGreaterThan(10);
});

describe.each(WRITTEN)('payload_json of %s,', (_, encode, headers) => {
  const kind = headers === FORM ? 'form' : 'multipart';
  const ids = operations.filter(({ body, errors }) => body?.kinds.includes(kind) && errors === 'api');

  it.each(ids.map(({ id }) => id))('is the whole body of %s', async (id) => {
    const operation = operations.find((one) => one.id === id) as (typeof operations)[number];
    const sent = { content: 'High & dry = ü\r\n', data: { embeds: [{ title: '+' }], flags: 0 }, poll: null };
    const bytes = Buffer.from(encode(JSON.stringify(sent)));
    const request = Object.assign(Readable.from([bytes], { objectMode: false }), { headers, method: 'POST' });
    const { body: declared, errors } = operation;
    if (declared === undefined) throw new Error(`${id} has no body`);
    const held = new UploadRoom().hold();
    const read = await bodyOf(request as unknown as IncomingMessage, { declared, errors, held });
    expect(read).toEqual({ value: sent, files: [] });
  });
});

describe('pycord', () => {
  it('answers an interaction, edits the answer, follows up and edits that in URL-encoded forms', async () => {
    const { use, emulator, call } = await usedPlatform();
    const { id, token } = use();
    const send = (what: string, payload: unknown) =>
      call(what, { headers: FORM, body: Buffer.from(urlEncoded(JSON.stringify(payload))) });
    const hook = `/webhooks/${APP}/${token}`;
    const answer = { type: 4, data: { content: 'High & dry = ü', embeds: [{ title: '+' }], flags: 0 } };
    expect((await send(`POST /interactions/${id}/${token}/callback`, answer)).status).toBe(204);
    expect((await call(`GET ${hook}/messages/@original`)).body).toMatchObject({
      content: 'High & dry = ü',
      embeds: [{ title: '+' }],
    });
    const edited = await send(`PATCH ${hook}/messages/@original`, { content: 'Low' });
    expect(edited).toMatchObject({ status: 200, body: { content: 'Low' } });
    const followed = await send(`POST ${hook}?wait=true`, { content: 'Ebb', tts: false });
    expect(followed).toMatchObject({ status: 200, body: { content: 'Ebb' } });
    const again = await send(`PATCH ${hook}/messages/${followed.body.id}`, { content: 'Flood' });
    expect(again).toMatchObject({ status: 200, body: { content: 'Flood' } });
    expect(emulator.tables.messages.get(followed.body.id)?.content).toBe('Flood');
  });
});

describe('hikari', () => {
  it('sends files beside payload_json of type application/octet-stream', async () => {
    const { call, bot } = await botPlatform();
    const payload = JSON.stringify({ content: 'tide', attachments: [{ id: 0, filename: 'a.txt' }] });
    const sent = await call(`POST /channels/${ids.general}/messages`, {
      headers: { ...bot(), ...MULTIPART },
      body: Buffer.from(
        multipart(
          part('payload_json', payload, { type: 'application/octet-stream' }),
          part('files[0]', 'high', { file: '; filename="a.txt"', type: 'text/plain' }),
        ),
      ),
    });
    expect(sent).toMatchObject({
      status: 200,
      body: { content: 'tide', attachments: [{ filename: 'a.txt' }] },
    });
  });
});

describe('payload_json in a URL-encoded form', () => {
  const send = async (body: string) => {
    const { call, bot } = await botPlatform();
    const { status, body: answer } = await call(`POST /channels/${ids.general}/messages`, {
      headers: { ...bot(), ...FORM },
      body: Buffer.from(body),
    });
    return [status, answer.code, ...Object.keys(answer.errors ?? {})];
  };

  it.each([
    ['beside another field', `${urlEncoded('{"content":"x"}')}&content=y`, [400, 50035, 'content']],
    ['twice', `${urlEncoded('{}')}&${urlEncoded('{}')}`, [400, 50035, 'payload_json']],
    ['that is cut', urlEncoded('{"content":'), [400, 50109]],
    ['nested 65 levels', urlEncoded(`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`), [400, 50109]],
    ['that is a list', urlEncoded('[]'), [400, 50035, '_errors']],
    ['that is too large', urlEncoded(`{"content":"${'x'.repeat(2 * 1024 * 1024)}"}`), [413, 40005]],
    ['that is empty counts as omitted', 'payload_json=&content=y', [200, undefined]],
  ])('%s', async (_, body, expected) => {
    expect(await send(body)).toEqual(expected);
  });
});

describe('the name of a part, not its type,', () => {
  const send = async (...parts: readonly string[]) => {
    const { call, bot } = await botPlatform();
    const { status, body } = await call(`POST /channels/${ids.general}/messages`, {
      headers: { ...bot(), ...MULTIPART },
      body: Buffer.from(multipart(...parts)),
    });
    return [status, body.content, body.attachments?.length, ...Object.keys(body.errors ?? {})];
  };
  const bytes = { type: 'application/octet-stream' };

  it('makes it a file or a field', async () => {
    expect(await send(part('content', 'tide', bytes))).toEqual([200, 'tide', 0]);
    expect(await send(part('content', 'tide'), part('files[0]', 'high', bytes))).toEqual([200, 'tide', 1]);
    expect(await send(part('content', 'tide'), part('files[0]', 'high', { type: 'text/plain' }))).toEqual([
      200,
      'tide',
      1,
    ]);
  });

  it('does not let a file stand in another field', async () => {
    const named = { file: '; filename="a.txt"' };
    expect(await send(part('content', 'tide', named))).toEqual([400, undefined, undefined, 'content']);
  });
});
