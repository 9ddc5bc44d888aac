import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { originPresets } from '../../src/daemon/origin-list.ts';
import { defaultFixture } from '../../src/emulator/compose/fixture/default.ts';
import { createRuntime, type Daemon, type Runtime, startDaemon } from '../helpers/daemon.ts';
import { faultBridge, place } from '../helpers/fault-bridge.ts';

const APP = '300000000000000002';
const PAGE = { clientId: APP, origin: 'http://localhost:3000' };
const OTHER = { clientId: APP, origin: 'https://overlay.example' };

/** The status of `POST` with a body of one request; `fetch` would take the Origin away. */
function httpStatus(port: string, path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.on('error', reject);
    sent.end('{"cmd":"GET_GUILDS","nonce":"1"}');
  });
}

describe('the built daemon', () => {
  it('refuses a page that the list does not name, for the built-in applications as well', async () => {
    const { applications } = defaultFixture();
    const bridge = await faultBridge({ args: ['--consent', 'allow', '--http-port', '0'] });
    const { port } = new URL(bridge.ready.endpoints.find(({ kind }) => kind === 'websocket')?.path ?? '');
    const ask = async (id: string, origin: string) =>
      httpStatus(port, `/rpc?v=1&client_id=${id}`, { origin, 'content-type': 'application/json' });
    for (const { id } of applications) {
      for (const { origin } of [PAGE, OTHER]) expect(await ask(id, origin), `${id} ${origin}`).toBe(404);
    }
    await bridge.cli(['origins', 'add', APP, PAGE.origin]);
    expect(await ask(APP, PAGE.origin)).toBe(200);
    const patch = { applications: [{ id: APP, rpc_origins: [OTHER.origin] }] };
    await bridge.cli(['emulator', 'apply', '-'], JSON.stringify(patch));
    expect(await ask(APP, OTHER.origin)).toBe(200);
    expect((await bridge.cli(['origins'])).stdout.split('\n').slice(1)).toEqual([
      `${APP}  ${PAGE.origin}`,
      `${APP}  ${OTHER.origin}  (rpc_origins of the emulator)`,
      '',
    ]);
  });
  it('preserves the list over a restart, and changes it by the command line', async () => {
    const runtime: Runtime = createRuntime();
    onTestFinished(() => runtime.remove());
    const started = async (): Promise<Daemon> => {
      const daemon = await startDaemon({ runtime });
      onTestFinished(async () => void (await daemon.kill()));
      return daemon;
    };
    const first = await started();
    expect(await first.cli(['origins'])).toMatchObject({ code: 0, stdout: 'No web page may connect.\n' });
    expect(await first.cli(['origins', 'add', APP, PAGE.origin])).toMatchObject({
      code: 0,
      stdout: `APP                 ORIGIN\n${APP}  ${PAGE.origin}\n`,
    });
    expect((await first.cli(['origins', 'add', 'discord'])).stdout).toContain('any app');
    // Words that are no command line, and an answer of the daemon.
    expect(await first.cli(['origins', 'add', APP])).toMatchObject({ code: 64, stdout: '' });
    expect(await first.cli(['origins', 'add', APP, 'null'])).toMatchObject({ code: 1, stdout: '' });
    await first.stop();

    const second = await started();
    expect(await second.json('origins')).toMatchObject({
      origins: [PAGE, ...(originPresets['discord']?.entries ?? [])],
    });
    expect((await second.cli(['origins', 'remove', 'discord'])).code).toBe(0);
    expect(await second.json('origins', 'remove', APP, PAGE.origin)).toEqual({ origins: [], stored: true });
    await second.stop();
  });

  it('starts without a damaged list, reports the new path of the file, and allows pages again', async () => {
    const runtime = place();
    const folder = join(runtime.env['XDG_DATA_HOME'] ?? '', 'footbridge');
    mkdirSync(folder, { mode: 0o700 });
    const path = join(folder, 'origins.json');
    writeFileSync(path, '{');
    const daemon = await startDaemon({ runtime });
    onTestFinished(async () => void (await daemon.stop()));
    const [moved = ''] = readdirSync(folder).filter((name) => name.startsWith('origins.json.corrupt-'));
    expect(readFileSync(join(folder, moved), 'utf8')).toBe('{');
    expect(daemon.output().stderr).toContain(moved);
    expect(await daemon.json('origins')).toMatchObject({ origins: [] });
    expect(await daemon.json('origins', 'add', APP, PAGE.origin)).toEqual({ origins: [PAGE], stored: true });
  });
});
