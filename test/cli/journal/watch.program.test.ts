import { expect, it } from 'vitest';
import { faultBridge } from '../../helpers/fault-bridge.ts';
import { footbridge, type Running, startDaemonProcess, startFootbridge, temporaryPlace } from '../spawn.ts';

const ARGS = ['--http-port', '0', '--ws-port', 'off'];

interface Entry {
  readonly seq: number;
  readonly kind: string;
  readonly text?: string;
}

/** The lines that have come whole. */
async function entriesOf(watch: Running): Promise<readonly Entry[]> {
  const lines = (await watch.stdoutWith('')).split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Entry);
}

it('watch prints each new entry once and continues with the next bridge', async () => {
  const place = temporaryPlace();
  const first = await startDaemonProcess(place, '--ws-port', 'off');
  expect((await footbridge(place, 'call', 'GET_GUILDS')).code).not.toBe(69);
  const json = startFootbridge(place, ['watch', '--json']);
  const human = startFootbridge(place, ['watch']);
  // From when on they follow, they tell nobody but a person at a terminal.
  do await footbridge(place, 'call', 'GET_VOICE_SETTINGS');
  while ((await entriesOf(json)).length === 0 || (await human.stdoutWith('')) === '');
  const ask = () => footbridge(place, 'call', 'GET_SELECTED_VOICE_CHANNEL');
  await ask();
  const isAsked = ({ text }: Entry): boolean => text?.includes('GET_SELECTED_VOICE_CHANNEL') === true;
  await expect.poll(async () => (await entriesOf(json)).some(isAsked)).toBe(true);
  await expect.poll(async () => (await entriesOf(json)).at(-1)?.kind).toBe('end');
  await human.stdoutWith('end of the connection');
  first.child.kill('SIGTERM');
  await first.ended;
  await json.stderrWith('the bridge has ended; waiting for the next one');
  await startDaemonProcess(place, '--ws-port', 'off');
  await ask();
  await json.stderrWith('a bridge is there again');
  // The second bridge counts from 1 again.
  const begin = async () => (await entriesOf(json)).findIndex(({ seq }) => seq === 1);
  await expect.poll(begin).toBeGreaterThan(0);
  await expect.poll(async () => (await entriesOf(json)).at(-1)?.kind).toBe('end');

  for (const { child } of [json, human]) child.kill('SIGINT');
  await Promise.all([json.ended, human.ended]);
  const entries = await entriesOf(json);
  const begun = await begin();
  // HANDSHAKE and READY, the notice of streams and its PONG, the request with its answer, and the app's CLOSE.
  const kinds = ['connect', ...Array.from({ length: 7 }, () => 'frame'), 'close', 'end'];
  for (const part of [entries.slice(0, begun), entries.slice(begun)]) {
    const from = part[0]?.seq ?? 0;
    expect(part.map(({ seq }) => seq)).toEqual(part.map((_, index) => from + index));
    expect(part.slice(-kinds.length).map(({ kind }) => kind)).toEqual(kinds);
  }
  expect(entries.slice(begun)).toHaveLength(kinds.length);
  expect(entries.filter(isAsked).length).toBeGreaterThan(1);
  expect((await json.ended).stdout).not.toContain('GET_GUILDS');
  expect((await human.ended).stdout).not.toContain('\u001b');
}, 60_000);

it('watch exits with 0 when the reader of its output closes', async () => {
  const bridge = await faultBridge({ args: ARGS });
  const place = { folder: bridge.folder, env: bridge.env };
  const app = await bridge.app();
  const following = startFootbridge(place, ['watch', '--json']);
  const talk = setInterval(() => app.request('GET_SELECTED_VOICE_CHANNEL', {}), 50);
  await following.stdoutWith('\n');
  following.child.stdout?.destroy();
  expect(await following.ended).toMatchObject({ code: 0, stderr: '' });
  clearInterval(talk);
}, 60_000);

it('watch and journal report a bridge without a journal, and a missing bridge', async () => {
  const place = temporaryPlace();
  const daemon = await startDaemonProcess(place, '--ws-port', 'off', '--service');
  for (const words of [['watch'], ['journal', '--json'], ['journal', '--session', 'abcd']]) {
    expect(await footbridge(place, ...words)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^footbridge: This bridge keeps no journal\. Set journal = true [^\n]+\n$/,
      ) as string,
    });
  }
  expect((await footbridge(place, 'status')).stdout).toMatch(/^journal +off; journal = true turns it on$/m);
  daemon.child.kill('SIGTERM');
  await daemon.ended;
  for (const command of ['watch', 'journal']) expect((await footbridge(place, command)).code).toBe(69);
  await startDaemonProcess(place, '--ws-port', 'off', '--service', '--journal', 'true');
  expect((await footbridge(place, 'journal')).stdout).toBe('There has been no traffic yet.\n');
  // `status` shakes hands.
  expect((await footbridge(place, 'status')).stdout).toMatch(/^journal +\d entr.*: footbridge watch$/m);
}, 60_000);
