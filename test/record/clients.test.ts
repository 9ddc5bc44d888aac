import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { JournalEntry } from '../../src/journal/entry.ts';
import { playClient } from '../../src/record/client.ts';
import { playApi } from '../../src/record/http.ts';
import { exchangesIn, scriptsIn } from '../../src/record/script.ts';
import { playServer } from '../../src/record/server.ts';
import { silentLogger } from '../../src/server/options.ts';
import { type PrivateBridge, startPrivateBridge } from '../../src/testing/private-bridge.ts';
import { rounds } from '../helpers/rounds.ts';
import { type Library, libraries, startApp } from '../interop/start-app.ts';

const CLIENT_ID = '300000000000000001';
const GUILD = '400000000000000001';

/** Everything that passes a bridge while something is done. */
async function recorded(bridge: PrivateBridge, task: () => Promise<void>): Promise<readonly JournalEntry[]> {
  const entries: JournalEntry[] = [];
  const stop = bridge.journal.follow((entry) => void entries.push(entry));
  await task();
  // Its goodbye.
  await expect.poll(() => entries.at(-1)?.kind).toBe('end');
  stop();
  return entries;
}

async function bridge(upstream?: string): Promise<PrivateBridge> {
  const options = { fixture: null, consent: 'allow', logger: silentLogger } as const;
  const started = await startPrivateBridge({ ...options, ...(upstream === undefined ? {} : { upstream }) });
  onTestFinished(() => started.close());
  return started;
}

/** What an app does in its life. */
async function life(library: Library, folder: string, api: string, details: string): Promise<void> {
  const app = startApp(library, { ...process.env, XDG_RUNTIME_DIR: folder } as Record<string, string>);
  try {
    await app.connect(CLIENT_ID);
    await app.login({ clientId: CLIENT_ID, scopes: ['rpc', 'identify'], api });
    await app.voiceSettings();
    await app.setActivity(details);
    await app.subscribe(['GUILD_STATUS', { guild_id: GUILD }]);
    await app.events(1);
    await app.destroy();
  } finally {
    await app.end();
  }
}

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'fb-record-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

describe.each(Object.keys(libraries) as Library[])('a record of an app made with %s', (library) => {
  const many = rounds({ few: 1, many: 20 });

  it(`is replayed to the app, ${many} of ${many} times, and reports how a changed app differs`, async () => {
    const emulator = await bridge();
    const entries = await recorded(emulator, () => life(library, emulator.folder, emulator.api, 'as then'));
    expect(JSON.stringify(entries)).not.toMatch(/"(?:access_token|code)\\":\\"(?!\[hidden\])/);
    const replayed = async (details: string) => {
      const place = folder();
      const server = await playServer(scriptsIn(entries), {
        endpoint: join(place, 'discord-ipc-0'),
        timing: false,
      });
      const api = await playApi(exchangesIn(entries));
      await life(library, place, api.url, details);
      return [...server.end(), ...api.end()];
    };
    for (let round = 0; round < many; round += 1)
      expect(await replayed('as then'), `round ${round}`).toEqual([]);
    expect(await replayed('otherwise')).toMatchObject([
      { what: 'connection 1: SET_ACTIVITY from the app', differences: [{ was: 'as then', is: 'otherwise' }] },
    ]);
  });
  it(`is replayed to a server, ${many} of ${many} times, and reports how a changed server differs`, async () => {
    const emulator = await bridge();
    const entries = await recorded(emulator, () => life(library, emulator.folder, emulator.api, 'as then'));
    const { endpoint, api } = emulator;
    const play = () => playClient(entries, { endpoint, api, timing: false, timeoutMs: 5_000 });
    for (let round = 0; round < many; round += 1) expect(await play(), `round ${round}`).toEqual([]);
    await emulator.call('guild.set', { id: GUILD, field: 'name', value: 'Otherwise' });
    const found = await play();
    expect(found.map(({ what }) => what)).toContain('connection 1: DISPATCH GUILD_STATUS from the server');
  });
  it('contains the answers of a chat client behind the bridge, and is replayed', async () => {
    const chat = await bridge();
    const between = await bridge(chat.endpoint);
    const entries = await recorded(between, () => life(library, between.folder, chat.api, 'as then'));
    const place = folder();
    const server = await playServer(scriptsIn(entries), {
      endpoint: join(place, 'discord-ipc-0'),
      timing: true,
    });
    const api = await playApi(exchangesIn(entries));
    await life(library, place, api.url, 'as then');
    expect([...server.end(), ...api.end()]).toEqual([]);
  });
});
