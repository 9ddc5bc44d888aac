import { describe, expect, it, onTestFinished } from 'vitest';
import { runProgram } from '../../../src/cli/program.ts';
import { commandTable } from '../../../src/cli/table.ts';
import { startEmulator } from '../../../src/testing/testing.ts';
import { AppPeer } from '../../helpers/app-peer.ts';
import { rawPeer } from '../../helpers/raw-peer.ts';
import { fakeIo } from '../fake-io.ts';

const APP = '300000000000000001';

interface Line {
  readonly seq: number;
  readonly kind: string;
  readonly opcode?: number;
  readonly text?: string;
}

/** `watch --json` with a filter, and an app that connects after it. */
async function bench(filter: string) {
  const emulator = await startEmulator({ consent: 'allow' });
  onTestFinished(() => emulator.close());
  const gone = new AbortController();
  const io = { ...fakeIo(emulator.env), outClosed: gone.signal };
  const ended = runProgram(['watch', '--json', '--filter', filter], commandTable, io);
  const { last } = (await emulator.operations.call('journal.read', {})) as { last: number };
  expect(last).toBe(0);
  const seen = (): readonly Line[] =>
    io
      .stdout()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Line);
  /** Connects an app that asks until the watch is seen to follow. */
  const connect = async (): Promise<AppPeer> => {
    const app = new AppPeer(await rawPeer(emulator.endpoint));
    await app.handshake(APP);
    return app;
  };
  const end = async (): Promise<string> => {
    gone.abort();
    expect(await ended).toBe(0);
    return io.stderr();
  };
  return { emulator, connect, seen, end };
}

describe('watch --filter', () => {
  it('prints a failed answer together with its request, and nothing else', async () => {
    const { connect, seen, end } = await bench('status:error cmd:GET_CHANNEL');
    const app = await connect();
    await expect
      .poll(async () => {
        await app.call('GET_GUILDS', {});
        await app.call('GET_CHANNEL', { channel_id: '1' });
        return seen().length;
      })
      .toBeGreaterThanOrEqual(2);
    expect(await end()).toBe('');
    const [request, answer] = seen();
    expect([request, answer].map((one) => JSON.parse(one?.text ?? '') as object)).toMatchObject([
      { cmd: 'GET_CHANNEL', args: { channel_id: '1' } },
      { cmd: 'GET_CHANNEL', evt: 'ERROR' },
    ]);
    expect(seen().every(({ text }) => text?.includes('GET_CHANNEL'))).toBe(true);
  });

  it('knows an app by the name that its application has, from its first request on', async () => {
    const { connect, seen, end } = await bench('app:"harbour example" -kind:session');
    const app = await connect();
    await expect
      .poll(async () => {
        await app.call('GET_GUILDS', {});
        return seen().some(({ text }) => text?.includes('GET_GUILDS'));
      })
      .toBe(true);
    expect(await end()).toBe('');
    expect(seen().every(({ kind }) => kind === 'frame')).toBe(true);
  });

  it.each([
    ['', 'must not be empty.'],
    ['   ', 'must not be empty.'],
    [
      'app:x cdm:PING',
      '"cdm:PING" at character 7: There is no "cdm:". Did you mean "cmd"? Put it in quotes to search for the text.',
    ],
    ['ms:fast', '"ms:fast" at character 1: "ms:" needs a duration, such as >100 or 5..20.'],
  ])('refuses %j and names the place', async (filter, message) => {
    const io = fakeIo({});
    expect(await runProgram(['watch', '--filter', filter], commandTable, io)).toBe(64);
    expect(io.stderr()).toBe(`footbridge: --filter: ${message} Try: footbridge watch --help\n`);
  });
});
