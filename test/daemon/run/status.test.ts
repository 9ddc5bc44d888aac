import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { version } from '../../../src/daemon/version.ts';
import { AppPeer } from '../../helpers/app-peer.ts';
import { bridgeRun, runPlace } from '../../helpers/bridge-run.ts';
import { isLinux } from '../../helpers/fault-bridge.ts';
import { byOtherProcess } from '../../helpers/other-process.ts';
import { rawPeer } from '../../helpers/raw-peer.ts';
import { uid } from '../../helpers/sockets.ts';

const APP = '300000000000000001';
const authorize = { client_id: APP, scopes: ['identify'] };

describe('the status of a run', () => {
  it('tells what the bridge is, and who is connected', async () => {
    const run = await bridgeRun();
    const app = await run.app();
    await app.subscribe('ACTIVITY_JOIN');
    const status = await run.control.status();
    const endpoint = join(run.place.folder, 'discord-ipc-0');
    expect(status).toEqual({
      version: version(),
      pid: process.pid,
      uptime: 0,
      executable: process.execPath,
      core: { name: 'emulator', api: run.ready().api, details: expect.any(Array) },
      notInFrontOf: [],
      endpoints: [{ kind: 'ipc', path: endpoint }],
      further: [],
      forwards: [],
      places: {
        config: join(run.place.folders.config, 'footbridge.toml'),
        data: run.place.folders.data,
        log: null,
      },
      unstored: [],
      weaker: [],
      sessions: [
        expect.objectContaining({
          clientId: APP,
          application: 'Harbour Example',
          pid: process.pid,
          program: isLinux ? expect.stringMatching(/^node\b/) : expect.anything(),
          endpoint: null,
          subscriptions: 1,
        }),
      ],
      refused: [],
      journal: { entries: expect.any(Number), bytes: expect.any(Number) },
      counters: expect.objectContaining({ accepted: 1, emfile: 0 }),
      rss: isLinux ? expect.any(Number) : expect.anything(),
      fds: isLinux ? expect.any(Number) : null,
    });
    if (isLinux) {
      const open = readdirSync('/proc/self/fd').length - 1;
      // The connection of the control socket may be open or closed by now.
      expect(Math.abs((status.fds ?? 0) - open)).toBeLessThan(5);
    }
    app.end();
    await expect.poll(async () => (await run.control.status()).sessions).toEqual([]);
  });

  it('names no process where there are no native calls, and says how the installation is weaker', async () => {
    const run = await bridgeRun({ native: 'absent' });
    await run.app();
    const { sessions, weaker } = await run.control.status();
    expect(sessions).toMatchObject([{ application: 'Harbour Example', program: null, pid: null }]);
    expect(weaker.length).toBeGreaterThan(0);
    expect(run.log('peers are not checked: only the folder keeps others out')).toEqual([
      {
        level: 'warn',
        path: run.place.folder,
        reason: 'no koffi',
        msg: 'peers are not checked: only the folder keeps others out',
      },
    ]);
  });
});

describe('a run', () => {
  it('in the runtime folder of a snap warns of it', async () => {
    const outer = runPlace();
    const session = join(outer.folder, 'run/user', String(uid));
    const folder = join(session, 'snap.code');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const run = await bridgeRun({ place: outer, env: { XDG_RUNTIME_DIR: folder } });
    const text =
      "XDG_RUNTIME_DIR is the folder of the snap code; the session's folder is used, where apps look";
    expect(run.log(text)).toEqual([{ level: 'warn', path: session, msg: text }]);
    expect(run.ready().endpoints).toEqual([{ kind: 'ipc', path: join(session, 'discord-ipc-0') }]);
  });

  it('takes the endpoint over with --force', async () => {
    const place = runPlace();
    const first = await bridgeRun({ place });
    const second = await bridgeRun({
      place,
      flags: { force: true, 'data-dir': join(place.folder, 'other') },
    });
    expect(second.ready().endpoints).toEqual(first.ready().endpoints);
    const path = join(place.folder, 'discord-ipc-0');
    await expect
      .poll(() => first.log().map(({ msg }) => msg))
      .toContain('the endpoint was taken, moved or deleted: apps no longer find the bridge');
    await first.stop();
    const app = new AppPeer(await rawPeer(path));
    await app.handshake(APP);
    expect((await second.control.status()).sessions).toHaveLength(1);
  });

  it.each([
    ['discord-ipc-0', 'endpoint'],
    [`footbridge-${uid}/control.sock`, 'control socket'],
  ])('restores %s when it is deleted', async (name, what) => {
    const run = await bridgeRun();
    const path = join(run.place.folder, name);
    rmSync(path);
    const message = `the ${what} was deleted: it is restored`;
    await expect.poll(() => run.log(message)).toEqual([{ level: 'warn', path, msg: message }]);
    await run.app();
    expect((await run.control.status()).sessions).toHaveLength(1);
  });

  it('says what it means that another file stands in the place of its control socket', async () => {
    const run = await bridgeRun();
    const path = join(run.place.folder, `footbridge-${uid}/control.sock`);
    const other = run.place.file('other', '');
    renameSync(other, path);
    const message = 'the control socket was taken, moved or deleted: no command finds the bridge';
    await expect
      .poll(() => run.log(message))
      .toEqual([{ level: 'warn', path, reason: expect.stringContaining(path), msg: message }]);
    rmSync(path);
    await expect.poll(() => run.log('the control socket was deleted: it is restored')).toHaveLength(1);
    await run.control.status();
  });

  it('removes the private sockets that a killed bridge has left, and nothing else', async () => {
    const place = runPlace();
    const own = join(place.folder, `footbridge-${uid}`);
    mkdirSync(own, { mode: 0o700 });
    place.file(`footbridge-${uid}/endpoint-0123456789ab.sock`, '');
    place.file(`footbridge-${uid}/notes.txt`, 'mine');
    await bridgeRun({ place });
    expect(readdirSync(own)).toEqual(expect.arrayContaining(['endpoint-0123456789ab.sock', 'notes.txt']));
  });

  it.skipIf(!isLinux)('lets no process answer its own request (needs native calls)', async () => {
    const run = await bridgeRun();
    const app = await run.app();
    const answer = app.call('AUTHORIZE', authorize);
    await expect.poll(() => run.control.call('requests.list')).toHaveLength(1);
    const [{ id }] = (await run.control.call('requests.list')) as [{ readonly id: string }];
    await expect(run.control.call('requests.approve', { id })).rejects.toMatchObject({
      message: expect.stringMatching(/itself|own|asked/),
    });
    await run.control.call('requests.deny', { id });
    expect(await answer).toMatchObject({ evt: 'ERROR' });
    const elsewhere = new AppPeer(
      await rawPeer(await byOtherProcess(join(run.place.folder, 'discord-ipc-0'))),
    );
    await elsewhere.handshake(APP);
    const other = elsewhere.call('AUTHORIZE', authorize);
    await expect.poll(() => run.control.call('requests.list')).toHaveLength(1);
    const [next] = (await run.control.call('requests.list')) as [{ readonly id: string }];
    await run.control.call('requests.deny', { id: next.id });
    await other;
  });
});
