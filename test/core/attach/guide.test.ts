import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { CLIENT_ID } from '../../helpers/app-peer.ts';
import { attachBridge, person } from '../../helpers/attach-bridge.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const guide = readFileSync(join(root, 'src/core/README.md'), 'utf8');

it('the example client in the guide answers apps', { timeout: 60_000 }, async () => {
  const { run, url, app } = await attachBridge();
  const [, code = ''] = /```js\n(import \{ attach[\s\S]*?)```/.exec(guide) ?? [];
  expect(code).toContain('AUTHENTICATE');
  const pair = (await run('attach.pair', { name: 'guide' })) as { code: string };
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/footbridge'));
  // What the guide takes from the client around it.
  writeFileSync(
    join(folder, 'around.mjs'),
    `import { WebSocket } from ${JSON.stringify(import.meta.resolve('ws'))};
    const kept = new Map();
    const device = { available_devices: [], device_id: 'default', volume: 100 };
    const mode = { type: 'VOICE_ACTIVITY', auto_threshold: true, threshold: -60, shortcut: [], delay: 20 };
    let mute = false;
    Object.assign(globalThis, {
      WebSocket,
      localStorage: { getItem: (k) => kept.get(k) ?? null, setItem: (k, v) => kept.set(k, v), removeItem: (k) => kept.delete(k) },
      settings: ${JSON.stringify({ url: url(), code: pair.code })},
      me: ${JSON.stringify(person)},
      askThePerson: async (clientId, scopes) => ({ code: clientId + ' ' + scopes }),
      grants: new Map([['good', {
        application: { id: '${CLIENT_ID}', name: 'App' }, scopes: ['rpc'], expires: '2099-01-01T00:00:00.000Z',
      }]]),
      voice: {
        current: () => ({
          input: device, output: device, mode, automatic_gain_control: true, echo_cancellation: true,
          noise_suppression: true, qos: true, silence_warning: false, deaf: false, mute,
        }),
      },
      show: (clientId, activity) => {
        console.log(clientId + ' shows ' + activity?.state);
        mute = true;
        voice.onchange();
      },
    });`,
  );
  writeFileSync(join(folder, 'client.mjs'), `import './around.mjs';\n${code}`);
  const child = spawn(process.execPath, [join(folder, 'client.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await expect
    .poll(async () => await run('attach.list'), { timeout: 20_000 })
    .toMatchObject({
      clients: [{ attached: [{ commands: ['AUTHORIZE', 'AUTHENTICATE', 'GET_VOICE_SETTINGS'] }] }],
    });
  const peer = await app();
  expect(await peer.call('AUTHORIZE', { client_id: CLIENT_ID, scopes: ['rpc'] })).toMatchObject({
    data: { code: `${CLIENT_ID} rpc` },
  });
  expect(await peer.call('AUTHENTICATE', { access_token: 'bad' })).toMatchObject({ data: { code: 4009 } });
  await peer.call('AUTHENTICATE', { access_token: 'good' });
  expect(await peer.call('GET_VOICE_SETTINGS')).toMatchObject({ data: { mute: false } });
  await peer.subscribe('VOICE_SETTINGS_UPDATE');
  expect(await peer.answer()).toMatchObject({ evt: 'VOICE_SETTINGS_UPDATE', data: { mute: false } });
  await peer.call('SET_ACTIVITY', { pid: 1, activity: { state: 'reading' } });
  expect(await peer.answer()).toMatchObject({ evt: 'VOICE_SETTINGS_UPDATE', data: { mute: true } });
  expect(output).toContain(`${CLIENT_ID} shows reading`);
});
