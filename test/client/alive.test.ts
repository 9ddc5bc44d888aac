import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bundled } from '../helpers/bundled.ts';
import { type ScriptedServer, scriptedServer } from '../helpers/scripted-server.ts';

interface Program {
  readonly child: ChildProcessByStdio<null, Readable, null>;
  /** Resolves with its exit code. */
  readonly ended: Promise<number | null>;
}

/** A process of its own, in which `client` is ready; it has said so once this resolves. */
async function program(server: ScriptedServer, options: object, body: string): Promise<Program> {
  const text = `
    import { connect } from '${pathToFileURL(bundled('client')).href}';
    const options = ${JSON.stringify({ clientId: '18', paths: [server.path], ...options })};
    const client = await connect(options);
    process.stdout.write('ready');
    ${body}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', text], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  await once(child.stdout, 'data');
  return { child, ended };
}

/** Calls `connect()` while the client sleeps before its third try, and waits for nothing else. */
const CONNECT_IN_A_BACK_OFF = `
  const busy = setInterval(() => {}, 1000);
  client.on('retry', ({ attempt }) => {
    if (attempt !== 2) return;
    setImmediate(async () => {
      clearInterval(busy);
      process.stdout.write('waiting');
      await client.connect();
      await client.close();
    });
  });`;

describe('a program without other work', () => {
  it('stays alive as long as its connection', async () => {
    const { child, ended } = await program(await scriptedServer(), {}, '');
    const early = await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 300, 'alive'))]);
    expect(early).toBe('alive');
    child.kill();
    await ended;
  });

  it('exits when the connection is lost', async () => {
    const server = await scriptedServer();
    const { ended } = await program(server, {}, '');
    await server.stop();
    expect(await ended).toBe(0);
  });

  it('stays alive after a lost connection with keepAlive', async () => {
    const server = await scriptedServer();
    const again = "client.on('ready', () => client.close());";
    const { ended } = await program(server, { keepAlive: true }, again);
    await server.stop();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await server.start();
    expect(await ended).toBe(0);
    expect(server.peers).toHaveLength(2);
  });

  it('stays alive until its connect() settles, also during a back-off', async () => {
    const server = await scriptedServer();
    const { child, ended } = await program(server, {}, CONNECT_IN_A_BACK_OFF);
    await server.stop();
    await once(child.stdout, 'data');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(child.exitCode).toBeNull();
    await server.start();
    expect(await ended).toBe(0);
    expect(server.peers).toHaveLength(2);
  });

  it('exits during a back-off with keepAlive: false', async () => {
    const server = await scriptedServer();
    const { child, ended } = await program(server, { keepAlive: false }, CONNECT_IN_A_BACK_OFF);
    await server.stop();
    await once(child.stdout, 'data');
    expect(await ended).toBe(0);
    expect(server.peers).toHaveLength(1);
  });
});
