import { expect, it } from 'vitest';
import { faultBridge } from '../helpers/fault-bridge.ts';
import { footbridge, startFootbridge, temporaryPlace } from './spawn.ts';

const OTHER = '300000000000000002';
const authorize = { client_id: '300000000000000001', scopes: ['rpc'] };

it('requests --follow prints each request once on arrival, until the bridge stops', async () => {
  const bridge = await faultBridge({ args: ['--http-port', '0', '--ws-port', 'off'] });
  const place = { folder: bridge.folder, env: bridge.env };
  const [first, second] = [await bridge.app(), await bridge.app(OTHER)];
  first.request('AUTHORIZE', authorize);
  const waiting = async () => (await bridge.control.call('requests.list')) as readonly { id: string }[];
  await expect.poll(waiting, { timeout: 10_000 }).toHaveLength(1);

  const json = startFootbridge(place, ['requests', '--follow', '--json']);
  const human = startFootbridge(place, ['requests', '-f']);
  await json.stdoutWith('\n');
  second.request('AUTHORIZE', { ...authorize, client_id: OTHER });
  await expect.poll(waiting, { timeout: 10_000 }).toHaveLength(2);
  const ids = (await waiting()).map(({ id }) => id);
  await json.stdoutWith(ids[1] ?? '');
  await human.stdoutWith(`footbridge approve ${ids[1]}`);
  await bridge.stop();

  const [asJson, asText] = await Promise.all([json.ended, human.ended]);
  expect([asJson.code, asText.code]).toEqual([69, 69]);
  const lines = asJson.stdout.trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { id: string }).id)).toEqual(ids);
  expect(asText.stdout.match(/footbridge approve/g)).toHaveLength(2);
}, 60_000);

it('requests --follow exits with 0 when the reader of its output closes', async () => {
  const bridge = await faultBridge({ args: ['--http-port', '0', '--ws-port', 'off'] });
  const place = { folder: bridge.folder, env: bridge.env };
  const [first, second] = [await bridge.app(), await bridge.app(OTHER)];
  first.request('AUTHORIZE', authorize);
  const following = startFootbridge(place, ['requests', '--follow', '--json']);
  await following.stdoutWith('\n');
  following.child.stdout?.destroy();
  second.request('AUTHORIZE', { ...authorize, client_id: OTHER });
  expect(await following.ended).toMatchObject({ code: 0, stderr: '' });
}, 60_000);

it('requests --follow exits with 69 without a bridge', async () => {
  expect((await footbridge(temporaryPlace(), 'requests', '--follow')).code).toBe(69);
});
