// Bundled from a copy of the sources with every recipe of CONTRIBUTING: prints as JSON what the recipes have added. Names that
// only the copy has are plain texts here.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operationReference, operationTypes } from '../../.ci/operations.ts';
import { runProgram } from '../../src/cli/program.ts';
import { commandTable } from '../../src/cli/table.ts';
import { type Client, connect } from '../../src/client/index.ts';
import { authorize } from '../../src/client/oauth2.ts';
import { controlClient } from '../../src/control/client.ts';
import { findCommand } from '../../src/protocol/registry.ts';
import { startEmulator, type TestEmulator } from '../../src/testing/testing.ts';
import { fakeIo } from '../cli/fake-io.ts';

const APP = '300000000000000001';
/** The program of the copy. */
const [program = ''] = process.argv.slice(2);

async function cli(line: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const io = fakeIo(env);
  const code = await runProgram(line.split(' '), commandTable, io);
  return code === 0 ? io.stdout() : `exit code ${code}: ${io.stderr()}`;
}

async function connected(endpoint: string): Promise<Client> {
  return connect({ clientId: APP, paths: [endpoint], reconnect: false });
}

/** Answer of a command, or the code of its error. */
async function answer(app: Client, command: string): Promise<unknown> {
  return app.requestRaw(command, {}).catch((error: { readonly code?: unknown }) => error.code);
}

async function ofEmulator({ api, endpoint, env, operations, clock }: TestEmulator): Promise<object> {
  const untyped: { call(name: string, args: object): Promise<unknown> } = operations;
  const call = (name: string, args: object): Promise<unknown> => untyped.call(name, args);
  const app = await connected(endpoint);
  await clock.set(new Date('2030-01-01T12:00:00Z'));
  const time = await answer(app, 'GET_TIME');
  await clock.reset();
  const tokens = await authorize(app, { api, clientId: APP, clientSecret: 'anything', scopes: ['identify'] });
  const events: unknown[] = [];
  await app.subscribeRaw('LOCALE_UPDATE', {}, (data) => events.push(data));
  await call('emulator.apply', { patch: { client: { locale: 'de' } } });
  await call('emulator.apply', { patch: { berths: [{ id: '9', quay: 'North' }] } });
  // Its answer comes after the events.
  await answer(app, 'GET_USER');
  await app.close();
  const { state } = (await call('emulator.export', {})) as { readonly state: string };
  const response = await fetch(`${api}/v10/users/@me/locale`, {
    headers: { authorization: `Bearer ${tokens.accessToken}` },
  });
  const control = controlClient({
    folder: { os: process.platform === 'darwin' ? 'darwin' : 'linux', uid: process.getuid?.() },
    env,
  });
  return {
    command: { known: findCommand('GET_TIME')?.class, answer: time },
    event: events,
    record: state.split('\n').filter((line) => line.includes('"berths"')),
    http: { status: response.status, body: await response.json() },
    operator: {
      help: await cli('help emulator user find'),
      ran: await cli('emulator user find heron', env),
      completion: (await cli('completion bash')).includes("'emulator user find')"),
      console: (await control.operations()).find(({ name }) => name === 'user.find'),
      types: operationTypes()
        .split('\n')
        .filter((line) => line.includes("'user.find'")),
      reference: operationReference().includes('\n## user.find\n'),
    },
  };
}

/** What a bridge on the new core prints when it is ready, with the new setting, and its answers to two commands. */
async function ofCore(): Promise<object> {
  const folder = mkdtempSync(join(tmpdir(), 'fb-recipe-'));
  let child: ChildProcess | undefined;
  try {
    for (const name of ['config', 'data']) mkdirSync(join(folder, name), { mode: 0o700 });
    const env = {
      HOME: folder,
      XDG_RUNTIME_DIR: folder,
      XDG_CONFIG_HOME: join(folder, 'config'),
      XDG_DATA_HOME: join(folder, 'data'),
      FOOTBRIDGE_HINTS: 'false',
    };
    const args = ['run', '--core', 'quiet', '--ws-port', 'off', '--notifications', 'false'];
    const started = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'ignore'] });
    child = started;
    let text = '';
    await new Promise<void>((resolve, reject) => {
      started.stdout.setEncoding('utf8').on('data', (part: string) => {
        text += part;
        if (text.includes('Ctrl-C')) resolve();
      });
      started.once('close', (code) => reject(new Error(`footbridge run ended with ${code}`)));
    });
    const app = await connected(join(folder, 'discord-ipc-0'));
    const answers = {
      CAPTURE_LOG: await app.requestRaw('CAPTURE_LOG', { level: 'log', message: 'x' }),
      GET_USER: await app.requestRaw('GET_USER', { id: '1' }).catch(({ code }: { code: unknown }) => code),
    };
    await app.close();
    return { name: /on the core "(\w+)"/.exec(text)?.[1], answers, hints: text.includes('try it') };
  } finally {
    child?.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

const emulator = await startEmulator({ consent: 'allow' });
const facts = await ofEmulator(emulator);
await emulator.close();
const shown = JSON.parse(await cli('config show --json', { FOOTBRIDGE_HINTS: 'false' })) as {
  readonly keys: readonly { readonly key: string }[];
};
const setting = shown.keys.find(({ key }) => key === 'hints');
process.stdout.write(`${JSON.stringify({ ...facts, core: await ofCore(), setting })}\n`);
