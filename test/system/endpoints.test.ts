// Apps in a sandbox with the mounts and the `.flatpak-info` of Flatpak, made by the same program, bubblewrap.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRuntime, type Runtime, startDaemon } from '../helpers/daemon.ts';
import { inBubblewrap, type Sandboxed, type SandboxOptions, whyNoBubblewrap } from './bubblewrap.ts';

const OFFICIAL = 'com.discordapp.Discord';
const OTHER = 'org.example.Client';
const AUTHORIZE = { client_id: '300000000000000001', scopes: ['rpc'] };
const ACTIVITY = { pid: 1, activity: { state: 'in a sandbox' } };

/** A runtime folder with the folders of two clients: apps may show activities at one, and request `rpc` at the other. */
function place(): Runtime {
  const runtime = createRuntime();
  onTestFinished(() => runtime.remove());
  for (const client of [OFFICIAL, OTHER])
    mkdirSync(join(runtime.folder, 'app', client), { recursive: true, mode: 0o700 });
  const file = join(runtime.env['XDG_CONFIG_HOME'] ?? '', 'footbridge/footbridge.toml');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    `[[endpoints]]
preset = "flatpak"
[[endpoints]]
name = "other"
preset = "flatpak"
client = "${OTHER}"
rights = ["presence", "rpc"]
`,
  );
  return runtime;
}

const start = async (runtime: Runtime) => {
  const daemon = await startDaemon({
    runtime,
    args: ['--consent', 'ask', '--http-port', '0', '--ws-port', 'off', '--log-level', 'info'],
  });
  onTestFinished(async () => void (await daemon.kill()));
  return daemon;
};

/** Runs a script in a sandbox in which only the folder of one client is shared. */
function inside(
  runtime: Runtime,
  script: string,
  { client = OFFICIAL, info }: { readonly client?: string; readonly info?: SandboxOptions['info'] } = {},
): Sandboxed {
  return inBubblewrap(runtime, script, { shared: join('app', client), ...(info && { info }) });
}

const call = (cmd: string, args: object): string => `footbridge call ${cmd} '${JSON.stringify(args)}'`;

describe.skipIf(whyNoBubblewrap !== undefined)(
  `an app in a Flatpak (${whyNoBubblewrap ?? 'bubblewrap'})`,
  () => {
    it('shows an activity, and cannot request authorization at an endpoint for presence', async () => {
      const runtime = place();
      const daemon = await start(runtime);
      const shown = await inside(runtime, call('SET_ACTIVITY', ACTIVITY)).ended;
      expect(shown).toMatchObject({ code: 0, output: expect.stringContaining('in a sandbox') });
      for (const [cmd, args] of [
        ['AUTHORIZE', AUTHORIZE],
        ['GET_VOICE_SETTINGS', {}],
        ['OPEN_OVERLAY_VOICE_SETTINGS', { pid: 1 }],
      ] as const) {
        const { code, output } = await inside(runtime, call(cmd, args)).ended;
        expect(code).not.toBe(0);
        expect(output).toContain(`4006 ${cmd} is not permitted at the endpoint "flatpak"`);
      }
      expect(await daemon.json('requests')).toEqual([]);
    });

    it('requests authorization where the rights permit it, and is named by what the kernel proves', async () => {
      const runtime = place();
      const daemon = await start(runtime);
      const requestOf = async (how: Pick<SandboxOptions, 'info'>): Promise<string> => {
        const { ended } = inside(runtime, call('AUTHORIZE', AUTHORIZE), { client: OTHER, ...how });
        await expect.poll(() => daemon.json('requests')).toHaveLength(1);
        const [request] = (await daemon.json('requests')) as { id: string; peer: { entrance: string } }[];
        const { sessions } = (await daemon.json('status')) as {
          sessions: { endpoint: string | null; sandbox: string | null }[];
        };
        expect(sessions.filter(({ endpoint }) => endpoint === 'other')).toHaveLength(1);
        expect((await daemon.cli(['approve', request?.id ?? ''])).code).toBe(0);
        expect(await ended).toMatchObject({ code: 0, output: expect.stringContaining('code') });
        return request?.peer.entrance ?? '';
      };
      expect(await requestOf({ info: 'mounted' })).toBe('endpoint "other", Flatpak org.example.App');
      expect(await requestOf({ info: 'written' })).toBe('endpoint "other", unverified sandbox');
      const scopes = { ...AUTHORIZE, scopes: ['rpc', 'messages.read'] };
      const beyond = await inside(runtime, call('AUTHORIZE', scopes), { client: OTHER }).ended;
      expect(beyond.output).toContain('4006 AUTHORIZE is not permitted');
    });

    it('reaches the bridge after kill -9 and a restart, and after the socket was deleted', async () => {
      const runtime = place();
      const first = await start(runtime);
      const step = `read go; ${call('SET_ACTIVITY', ACTIVITY)} && echo shown`;
      const app = inside(runtime, `${step}; ${step}; ${step}`);
      const shown = async (times: number): Promise<void> => {
        app.child.stdin?.write('\n');
        await expect.poll(() => app.output().split('shown').length - 1, { timeout: 60_000 }).toBe(times);
      };
      await shown(1);
      await first.kill();
      const socket = join(runtime.folder, 'app', OFFICIAL, 'discord-ipc-0');
      expect(existsSync(socket)).toBe(true);
      const second = await start(runtime);
      await shown(2);
      rmSync(socket);
      await expect.poll(() => existsSync(socket)).toBe(true);
      await shown(3);
      expect((await second.stop()).code).toBe(0);
      expect(existsSync(socket)).toBe(false);
    });
  },
);
