import { expect, it } from 'vitest';
import type { ConsoleCall } from '../../../src/cli/console/run-console.ts';
import { runConsole } from '../../../src/cli/console/run-console.ts';
import type { CheckResult } from '../../../src/cli/doctor/check.ts';
import { examine } from '../../../src/cli/doctor/doctor.ts';
import { startEmulator } from '../../../src/testing/testing.ts';
import { ask, ownLines, targetOf } from '../../console/door.ts';
import { bridgeRun } from '../../helpers/bridge-run.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';
import { fakeIo } from '../fake-io.ts';

const CALL: ConsoleCall = { json: true, open: false };

/** Posts to a console of this environment, as its page does, until `use` is over. */
async function withConsole<T>(
  env: Readonly<Record<string, string>>,
  use: (post: (path: string) => Promise<unknown>) => Promise<T>,
): Promise<T> {
  const io = fakeIo(env);
  let result: T | undefined;
  await runConsole(CALL, io, async () => {
    // The address is printed next.
    await new Promise(setImmediate);
    const { url } = JSON.parse(io.stdout()) as { readonly url: string };
    const port = Number(new URL(url).port);
    const { head } = await ask(port, `GET ${targetOf(url)}`);
    const lines = [`Cookie: ${/^set-cookie: ([^;]+);/im.exec(head)?.[1]}`, ...ownLines(port)];
    result = await use(
      async (path) => JSON.parse((await ask(port, `POST ${path}`, lines, '{}')).body) as unknown,
    );
  });
  return result as T;
}

const evidenceOf = (checks: readonly CheckResult[], id: string): string =>
  checks.find((check) => check.id === id)?.evidence.join('\n') ?? '';

it('the console reports about the folders, settings and variables of the bridge, and not about its own', async () => {
  const run = await bridgeRun({
    toml: 'log_level = "debug"\n[limits]\nframe_bytes = 70000\n',
    env: { FOOTBRIDGE_CONSENT: 'deny', XDG_CONFIG_HOME: '/nowhere/of-the-bridge' },
    flags: { index: '0' },
  });
  const { folder, folders } = run.place;
  // The same bridge, from a shell with other folders and settings.
  const env = {
    XDG_RUNTIME_DIR: folder,
    XDG_CONFIG_HOME: temporaryFolder(),
    FOOTBRIDGE_CORE: 'upstream',
  };
  const { checks, report } = await withConsole(env, async (post) => ({
    ...((await post('/doctor')) as { readonly checks: readonly CheckResult[] }),
    report: (await post('/bugreport')) as { readonly name: string; readonly text: string },
  }));
  const settings = evidenceOf(checks, 'configuration');
  expect(settings).toContain(`file: ${folders.config}/footbridge.toml`);
  for (const key of ['log_level', 'limits.frame_bytes', 'consent', 'index']) expect(settings).toContain(key);
  expect(settings).not.toMatch(/\bcore\b/);
  expect(evidenceOf(checks, 'data-folder')).toContain(folders.data);
  expect(report.name).toMatch(/^footbridge-bugreport-\d{8}-\d{6}\.txt$/);
  expect(report.text).toMatch(/consent = "deny" {2}\(environment\)/);
  expect(report.text).toMatch(/index = 0 {2}\(flag\)/);
  expect(report.text).not.toContain('upstream');

  // The command itself is about the environment in which it is typed.
  const own = await examine({}, fakeIo(env));
  expect(evidenceOf(own.checks, 'configuration')).toMatch(/\bcore\b/);
});

it('the console reports about a bridge inside another program, which reads no file and stores nothing', async () => {
  await using emulator = await startEmulator();
  const env = { ...emulator.env, FOOTBRIDGE_CONSENT: 'deny' } as Readonly<Record<string, string>>;
  const { checks } = await withConsole(
    env,
    async (post) => (await post('/doctor')) as { readonly checks: readonly CheckResult[] },
  );
  expect(evidenceOf(checks, 'configuration')).toBe('file: none; not at their default: none');
  expect(evidenceOf(checks, 'data-folder')).toBe('the running bridge stores nothing');
});

it('the facts of a bridge are the variables that it reads, and no others', async () => {
  const run = await bridgeRun({
    env: { FOOTBRIDGE_CONSENT: 'deny', FOOTBRIDGE_CLIENT_SECRET: 'a secret', PATH: '/bin' },
  });
  expect(await run.control.call('bridge.facts')).toEqual({
    variables: {
      XDG_RUNTIME_DIR: run.place.folder,
      FOOTBRIDGE_HTTP_PORT: '0',
      FOOTBRIDGE_WS_PORT: 'off',
      FOOTBRIDGE_NOTIFICATIONS: 'false',
      FOOTBRIDGE_CONSENT: 'deny',
    },
    started: { folders: run.place.folders, flags: {} },
  });
});
