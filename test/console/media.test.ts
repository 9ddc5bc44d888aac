import { expect, it } from 'vitest';
import { ControlError } from '../../src/control/control-error.ts';
import { ask, entered, openConsole, playedBridge, REFUSAL } from './door.ts';

/** A console of a bridge that stores one file of this type. */
async function storing(type: string) {
  const bridge = playedBridge();
  const called: unknown[] = [];
  const call: typeof bridge.call = async (name, args) => {
    called.push({ name, args });
    if (type === '') throw new ControlError(409, 'FOOTBRIDGE_SETTING', 'address: there is no stored file');
    return { type, size: 4, data: Buffer.from('wave').toString('base64') };
  };
  const served = await openConsole({ ...bridge, call });
  return { served, called };
}

it.each([
  'image/png',
  'image/gif',
  'image/jpeg',
  'image/webp',
  'image/avif',
  'video/mp4',
  'video/webm',
  'audio/mpeg',
  'audio/ogg',
  'audio/wav',
])('GET /media answers with a stored file of the type %s, as nothing else', async (type) => {
  const { served, called } = await storing(type);
  const address = 'http://127.0.0.1:1/attachments/1/2/a.png?ex=1&is=2&hm=3';
  const answer = await ask(served.port, `GET /media?address=${encodeURIComponent(address)}`, [
    await entered(served),
  ]);
  expect(answer.status).toBe(200);
  expect(answer.body).toBe('wave');
  expect(answer.head).toMatch(new RegExp(`^content-type: ${type}\\r$`, 'm'));
  expect(answer.head).toMatch(/^x-content-type-options: nosniff\r$/m);
  expect(answer.head).toMatch(/^content-security-policy: default-src 'none';/m);
  expect(answer.head).toMatch(/^cross-origin-resource-policy: same-origin\r$/m);
  expect(called).toEqual([{ name: 'file.read', args: { address } }]);
});

it.each(['image/svg+xml', 'text/html', 'text/html; image/png', 'application/pdf', 'image/png, text/html'])(
  'GET /media does not answer with a file of the type %s, whatever the bridge says',
  async (type) => {
    const { served } = await storing(type);
    const answer = await ask(served.port, 'GET /media?address=%2Fa', [await entered(served)]);
    expect(answer.status).toBe(500);
    expect(answer.head).toMatch(/^content-type: application\/json\r$/m);
    expect(answer.body).not.toContain('wave');
  },
);

it('GET /media says why there is no file', async () => {
  const { served } = await storing('');
  const answer = await ask(served.port, 'GET /media', [await entered(served)]);
  expect(answer.status).toBe(409);
  expect(JSON.parse(answer.body)).toEqual({
    code: 'FOOTBRIDGE_SETTING',
    message: 'address: there is no stored file',
  });
});

it('GET /media is behind the gate', async () => {
  const { served, called } = await storing('image/png');
  expect((await ask(served.port, 'GET /media?address=%2Fa')).whole).toBe(REFUSAL);
  const session = [await entered(served)];
  const foreign = [...session, 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Dest: image'];
  expect((await ask(served.port, 'GET /media?address=%2Fa', foreign)).whole).toBe(REFUSAL);
  expect(called).toEqual([]);
});
