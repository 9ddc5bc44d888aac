// What the contract says of one field alone, and not of its kind: refused in its words, with the state as it was.
import { expect, it } from 'vitest';
import { botPlatform } from '../../../helpers/bot-member.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import type { PlatformRequest } from '../../../helpers/platform.ts';

const MESSAGES = `/channels/${ids.general}/messages`;

function upload(name: string, bytes: number, fields: object = {}): PlatformRequest {
  const body = new FormData();
  body.set('payload_json', JSON.stringify(fields));
  body.set('files[0]', new Blob([new Uint8Array(bytes)]), name);
  return { body };
}

const form = (errors: object) => ({ message: 'Invalid Form Body', code: 50035, errors });
const tooLong = (most: number) => ({
  _errors: [{ code: 'BASE_TYPE_MAX_LENGTH', message: `Must be ${most} or fewer in length.` }],
});

const MIB = 1024 * 1024;

it.each<[string, PlatformRequest, number, object]>([
  [
    'content of 2,001 characters',
    { json: { content: 'x'.repeat(2001) } },
    400,
    form({ content: tooLong(2000) }),
  ],
  ['nothing at all', { json: {} }, 400, { message: 'Cannot send an empty message', code: 50006 }],
  [
    'a file above the limit',
    upload('a.bin', 20 * MIB + 1),
    400,
    { message: 'The file in files[0] is too large', code: 50045 },
  ],
  [
    'more than a request may be',
    upload('a.bin', 25 * MIB + 1),
    413,
    { message: 'Request entity too large', code: 40005 },
  ],
  [
    'a description of what was not sent',
    upload('a.bin', 1, { attachments: [{ id: 7, description: 'x' }] }),
    400,
    expect.objectContaining({ code: 50035, errors: { attachments: { 0: { id: expect.anything() } } } }),
  ],
])('a message with %s is refused [R-7, L-1]', async (_what, request, status, body) => {
  const { call, bot, emulator } = await botPlatform();
  const before = emulator.exportState();
  expect(await call(`POST ${MESSAGES}`, { ...request, headers: bot() })).toMatchObject({ status, body });
  expect(emulator.exportState() === before).toBe(true);
});

it('an enforced nonce that is used again returns the first message, whatever the second content is [R-7]', async () => {
  const { ask, emulator } = await botPlatform();
  const first = await ask(`POST ${MESSAGES}`, { content: 'one', nonce: 'n', enforce_nonce: true });
  const before = emulator.exportState();
  const second = await ask(`POST ${MESSAGES}`, { content: 'two', nonce: 'n', enforce_nonce: true });
  expect([second.status, second.body.id, second.body.content]).toEqual([200, first.body.id, 'one']);
  expect(emulator.exportState() === before).toBe(true);
});

it.each(['../../etc/passwd', '/etc/passwd', 'C:\\windows\\passwd', 'a/../passwd'])(
  'a file named %s is stored by the last part of its name alone [R-7]',
  async (name) => {
    const { call, bot } = await botPlatform();
    const request = upload(name, 1, { attachments: [{ id: 0, filename: name }] });
    const { status, body } = await call(`POST ${MESSAGES}`, { ...request, headers: bot() });
    expect([status, body.attachments[0].filename]).toEqual([200, 'passwd']);
  },
);
