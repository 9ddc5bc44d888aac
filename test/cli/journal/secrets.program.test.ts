import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startEmulator } from '../../../src/testing/testing.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';
import { footbridge, startProgram, temporaryPlace } from '../spawn.ts';

/** An app that sends secrets over HTTP and the socket, and prints those that it was given itself. */
const APP = `
  const { once } = require('node:events');
  const { connect } = require('node:net');
  const api = process.env.FOOTBRIDGE_API;
  const id = '300000000000000001';
  const frame = (opcode, value) => {
    const body = Buffer.from(JSON.stringify(value));
    const head = Buffer.alloc(8);
    head.writeUInt32LE(opcode, 0);
    head.writeUInt32LE(body.length, 4);
    return Buffer.concat([head, body]);
  };
  const main = async () => {
    const socket = connect(process.env.XDG_RUNTIME_DIR + '/discord-ipc-0');
    const ask = async (opcode, value) => {
      socket.write(frame(opcode, value));
      const [bytes] = await once(socket, 'data');
      return JSON.parse(bytes.subarray(8).toString()).data;
    };
    await ask(0, { v: 1, client_id: id });
    const args = { client_id: id, scopes: ['identify', 'rpc'] };
    const { code } = await ask(1, { cmd: 'AUTHORIZE', args, nonce: 'n' });
    const token = async (fields, headers = {}) => {
      const body = new URLSearchParams(fields);
      return (await fetch(api + '/v10/oauth2/token', { method: 'POST', headers, body })).json();
    };
    const client = { client_id: id, client_secret: 'canary-client-secret' };
    const first = await token({ grant_type: 'authorization_code', code, ...client });
    const { refresh_token } = first;
    const basic = { authorization: 'Basic ' + btoa(id + ':canary-basic') };
    const { access_token } = await token({ grant_type: 'refresh_token', refresh_token }, basic);
    const signed = api.replace(/api$/, '') + 'attachments/1/2/a.png?ex=1&is=2&hm=canary-signature';
    const headers = {
      authorization: 'Bearer ' + access_token,
      cookie: 'session=canary-cookie',
      link: '<' + signed + '>; rel="preload"',
    };
    await fetch(api + '/v10/users/@me', { headers });
    await fetch(signed);
    for (const one of [access_token, 'canary-wrong-token'])
      await ask(1, { cmd: 'AUTHENTICATE', args: { access_token: one }, nonce: 'n' });
    socket.end();
    console.log(JSON.stringify([code, first.access_token, refresh_token, access_token, btoa(id + ':canary-basic')]));
  };
  main();
`;

/** What the app has sent stands in the text, and none of its secrets. */
function expectNoSecrets(text: string, printed: string): void {
  for (const part of ['users/@me', 'oauth2/token', '/attachments/1/2/a.png', 'AUTHENTICATE'])
    expect(text).toContain(part);
  const secrets = JSON.parse(printed) as readonly string[];
  expect(secrets.map((secret) => secret.length > 10)).toEqual(Array(5).fill(true));
  for (const secret of secrets) expect(text).not.toContain(secret);
  expect(text).not.toContain('canary');
}

it('journal --har writes none of the secrets that an app has sent', async () => {
  await using emulator = await startEmulator({ consent: 'allow' });
  const place = temporaryPlace();
  const env = { ...place.env, ...emulator.env };
  const app = await startProgram([process.execPath, '-e', APP], { env }).ended;
  expect(app).toMatchObject({ code: 0, stderr: '' });
  const file = join(temporaryFolder(), 'talk.har');
  expect(await footbridge({ ...place, env }, 'journal', '--har', file)).toMatchObject({
    code: 0,
    stderr: '',
  });
  expectNoSecrets(readFileSync(file, 'utf8'), app.stdout);
});

it('record writes none of the secrets that an app has sent', async () => {
  const file = join(temporaryFolder(), 'talk.ndjson');
  const { code, stdout, stderr } = await footbridge(
    temporaryPlace(),
    'record',
    file,
    '--',
    process.execPath,
    '-e',
    APP,
  );
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expectNoSecrets(readFileSync(file, 'utf8'), stdout);
});
