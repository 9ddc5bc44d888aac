import { expect, it } from 'vitest';
import type { JournalEntry } from '../../../../src/journal/entry.ts';
import { Journal } from '../../../../src/journal/journal.ts';
import { botPlatform } from '../../../helpers/bot-member.ts';
import { ids } from '../../../helpers/emulator-world.ts';

const MESSAGES = `/channels/${ids.general}/messages`;

type HttpEntry = Extract<JournalEntry, { kind: 'http' }>;

/** A bot whose requests are in the journal. */
async function journaled() {
  const journal = new Journal();
  const platform = await botPlatform({}, ['message_content'], { journal });
  const last = (): HttpEntry => {
    const entries = journal.read({ kinds: ['http'] }).entries as readonly HttpEntry[];
    const entry = entries.at(-1);
    if (entry === undefined) throw new Error('the journal has no request');
    return entry;
  };
  return { ...platform, last, journal };
}

it('the journal has the request and the reply of each operation, with their sizes', async () => {
  const { ask, last } = await journaled();
  const json = { content: 'high', tts: false };
  const { body } = await ask(`POST ${MESSAGES}?x=1`, json, { 'x-audit-log-reason': 'tides' });
  const sent = JSON.stringify(json);
  expect(last()).toMatchObject({
    kind: 'http',
    method: 'POST',
    path: `/api/v10${MESSAGES}?x=[hidden]`,
    status: 200,
    ms: expect.any(Number),
    request: {
      headers: { authorization: 'Bot [hidden]', 'content-type': 'application/json' },
      bytes: sent.length,
    },
    response: { headers: { 'content-type': 'application/json' }, bytes: JSON.stringify(body).length },
  });
  expect(JSON.parse(last().request.body ?? '')).toEqual(json);
  expect(JSON.parse(last().response.body ?? '')).toMatchObject({ id: body.id, content: 'high' });
  expect(last().ms).toBeGreaterThanOrEqual(0);

  await ask(`DELETE ${MESSAGES}/${body.id}`);
  expect(last()).toMatchObject({
    method: 'DELETE',
    status: 204,
    request: { bytes: 0 },
    response: { bytes: 0 },
  });
  expect(last().request).not.toHaveProperty('body');
  expect(last().response).not.toHaveProperty('body');

  await ask(`GET ${MESSAGES}/${body.id}`);
  expect(last()).toMatchObject({ method: 'GET', status: 404 });
  expect(JSON.parse(last().response.body ?? '')).toEqual({ message: 'Unknown Message', code: 10008 });

  await ask(`GET ${MESSAGES}/pins`);
  expect(last()).toMatchObject({ status: 200, path: `/api/v10${MESSAGES}/pins` });
  expect(JSON.parse(last().response.body ?? '')).toEqual({ items: [], has_more: false });
});

it('the journal has of a long body only its length, and of one that is too deep nothing', async () => {
  const { ask, last, call, bot } = await journaled();
  const content = 'x'.repeat(2000);
  const text = (length: number) => {
    const around = JSON.stringify({ content: '' }).length;
    return { content: 'x'.repeat(length - around) };
  };
  await ask(`POST ${MESSAGES}`, text(64 * 1024));
  expect(last().request.body).toContain('"content"');
  await ask(`POST ${MESSAGES}`, text(64 * 1024 + 1));
  expect(last().request.body).toBe(`(JSON, ${64 * 1024 + 1} characters)`);
  for (let count = 0; count < 40; count += 1) await ask(`POST ${MESSAGES}`, { content });
  const { body } = await ask(`GET ${MESSAGES}?limit=100`);
  expect(body.length).toBeGreaterThan(39);
  expect(last().response.body).toBe(`(JSON, ${JSON.stringify(body).length} characters)`);
  const headers = { ...bot(), 'content-type': 'application/json' };
  await call(`POST ${MESSAGES}`, { headers, body: Buffer.from('{"content":') });
  expect([last().status, last().request.body]).toEqual([400, undefined]);
});

it('the journal has of files their names and sizes, and of pages and pictures their types', async () => {
  const { call, bot, last, url } = await journaled();
  const form = new FormData();
  form.set('payload_json', JSON.stringify({ content: 'chart' }));
  form.set('files[0]', new Blob(['water'], { type: 'text/plain' }), 'chart.txt');
  form.set('files[1]', new Blob(['']), 'Bearer a1B2c3D4e5F6g7H8i9J0k1L2m3N4.txt');
  const { body } = await call(`POST ${MESSAGES}`, { headers: bot(), body: form });
  const [shown, first, second] = (last().request.body ?? '').split('\n');
  expect(JSON.parse(shown ?? '')).toEqual({ content: 'chart' });
  expect(first).toBe('(file chart.txt, 5 bytes)');
  expect(second).toMatch(/^\(file .*\[hidden\].*, 0 bytes\)$/);
  const [file] = body.attachments;
  await (await fetch(file.url)).text();
  expect(last()).toMatchObject({ status: 200, response: { body: '(text/plain)', bytes: 5 } });
  const page = new URL('/oauth2/authorize?client_id=1&response_type=code', url).href;
  const shownPage = await fetch(page);
  expect(shownPage.headers.get('content-type')).toBe('text/html; charset=utf-8');
  await shownPage.text();
  expect(last().response.body).toMatch(/^\(text\/html\)$/);
  const { body: key } = await call('GET /oauth2/keys');
  expect(last()).toMatchObject({ status: 200, path: '/api/v10/oauth2/keys' });
  expect(key.keys).toHaveLength(1);
});
