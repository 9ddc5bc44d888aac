import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { APP, faultBridge, place } from '../helpers/fault-bridge.ts';

const GENERAL = '500000000000000002';
const BOT = { authorization: `Bot ${Buffer.from(APP).toString('base64url')}.emulator.bot` };
/** The bot of the application, as a member who may send files. */
const PATCH = {
  applications: [{ id: APP, bot_user: APP }],
  users: [{ id: APP, username: 'harbour', bot: true }],
  guilds: [
    {
      id: '400000000000000001',
      members: [{ user: APP }],
      roles: [{ id: '400000000000000001', permissions: String(2n ** 3n) }],
    },
  ],
};

/** A bridge whose temporary folder is in the private place, and the names in that folder. */
async function bridgeIn(runtime: ReturnType<typeof place>) {
  const folder = join(runtime.folder, 'tmp');
  mkdirSync(folder, { recursive: true });
  const bridge = await faultBridge({ runtime, env: { TMPDIR: folder } });
  const patch = join(runtime.folder, 'patch.json');
  writeFileSync(patch, JSON.stringify(PATCH));
  expect(await bridge.cli(['emulator', 'apply', patch])).toMatchObject({ code: 0 });
  const left = () => readdirSync(folder).filter((name) => name.startsWith('footbridge-files-'));
  const upload = async () => {
    const body = new FormData();
    body.set('files[0]', new Blob(['high tide']), 'tide.txt');
    const url = `${bridge.ready.api}/v10/channels/${GENERAL}/messages`;
    const answer = await fetch(url, { method: 'POST', headers: BOT, body });
    expect(answer.status).toBe(200);
  };
  return { ...bridge, folder, left, upload };
}

it('the files of a daemon ended by kill -9 are removed by the next start, those of a live one are not [R01]', async () => {
  const runtime = place();
  const killed = await bridgeIn(runtime);
  await killed.upload();
  const [dead] = killed.left();
  expect(dead).toContain(`-${killed.pid}-`);
  await killed.kill();
  expect(killed.left()).toEqual([dead]);
  const next = await bridgeIn(runtime);
  expect(next.left()).toEqual([]);
  await next.upload();
  const [live] = next.left();

  // Another emulator of this user starts beside it.
  const beside = place();
  const other = await faultBridge({ runtime: beside, env: { TMPDIR: next.folder } });
  expect(next.left()).toEqual([live]);
  const state = join(runtime.folder, 'state.jsonl');
  await next.cli(['emulator', 'export', state]);
  expect(readFileSync(state, 'utf8')).toContain(Buffer.from('high tide').toString('base64'));
  await other.stop();
  await next.stop();
  expect(next.left()).toEqual([]);
}, 120_000);
