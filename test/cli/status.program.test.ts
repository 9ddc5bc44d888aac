import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connect } from '../../src/client/index.ts';
import { startEmulator } from '../../src/testing/testing.ts';
import { Opcode } from '../../src/wire/codes.ts';
import { type Script, scriptedServer, wellBehaved } from '../helpers/scripted-server.ts';
import { type Place, startDaemonProcess, startFootbridge, temporaryPlace } from './spawn.ts';

/** A chat client, which the bridge finds by the answer to its PING. */
const chatClient: Script = (frame, peer, connection) =>
  frame.opcode === Opcode.PING ? peer.send(Opcode.PONG, frame.body) : wellBehaved(frame, peer, connection);

/** The rows of `status` that say who is behind the bridge, by their label. */
async function story(place: Place): Promise<Record<string, string>> {
  const { code, stdout } = await startFootbridge(place, ['status']).ended;
  expect(code).toBe(0);
  const rows = stdout.split('\n').map((line) => line.split(/ {2,}/));
  const told = ['endpoint', 'behind it', 'to do', 'upstream', 'fallback', 'not in front'];
  return Object.fromEntries(
    rows.filter(([label = '']) => told.includes(label)).map(([label, ...text]) => [label, text.join('  ')]),
  );
}

describe('status on the core "upstream"', () => {
  it('prints consistent rows without a chat client, with a chat client, with an app, and after the client stopped', async () => {
    const place = temporaryPlace();
    await startDaemonProcess(place, '--core', 'upstream', '--ws-port', 'off');
    const path = join(place.folder, 'discord-ipc-1');
    const upstream = 'every client that answers above our index';
    const alone = {
      endpoint: expect.stringMatching(/^answers after \d+ ms; apps are refused until a client is there$/),
      'to do': 'start the chat client after the bridge, or run the bridge with --fallback emulator',
      upstream,
    };
    expect(await story(place)).toEqual({
      ...alone,
      'behind it': 'no chat client runs behind it; apps get the answer to try again later',
    });

    const client = await scriptedServer(chatClient, path);
    const present = {
      endpoint: expect.stringMatching(/^answers after \d+ ms$/),
      'behind it': `a chat client stands behind it at ${path}`,
      upstream,
    };
    expect(await story(place)).toEqual(present);
    const app = await connect({ clientId: '7', paths: [join(place.folder, 'discord-ipc-0')] });
    expect(await story(place)).toEqual(present);
    await app.close();

    await client.stop();
    expect(await story(place)).toEqual({
      ...alone,
      'behind it': `no chat client runs behind it any more (the last was at ${path}); apps get the answer to try again later`,
    });
  });

  it('reports that a fallback serves apps while no chat client runs', async () => {
    const place = temporaryPlace();
    await startDaemonProcess(place, '--core', 'upstream', '--fallback', 'emulator', '--ws-port', 'off');
    expect(await story(place)).toMatchObject({
      endpoint: expect.stringMatching(/^answers after \d+ ms$/),
      'behind it': 'no chat client runs behind it; the core "emulator" answers meanwhile',
      'to do': 'start the chat client after the bridge',
    });
  });
});

it('status on the core "upstream" names the program in front as the reason for a missing chat client', async () => {
  const place = temporaryPlace();
  const first = await scriptedServer(chatClient, join(place.folder, 'discord-ipc-0'));
  await startDaemonProcess(place, '--ws-port', 'off', '--core', 'upstream');
  expect(await story(place)).toMatchObject({
    'behind it':
      'nothing: the program in front was started first, so apps connect to it and not to the bridge',
    'not in front': expect.stringContaining(first.path),
    'to do': expect.stringContaining('end the chat client, start the bridge again, and then the chat client'),
  });
});

it('status prints the remedy when another program has the index that most apps try', async () => {
  const place = temporaryPlace();
  const first = await scriptedServer(chatClient, join(place.folder, 'discord-ipc-0'));
  await startDaemonProcess(place, '--ws-port', 'off');
  expect(await story(place)).toMatchObject({
    'not in front': expect.stringContaining(first.path),
    'to do': `most apps look only at ${first.path}: end what is there, then start the bridge, then that program again`,
  });
});

// Only Linux tells that a process is stopped; elsewhere the word is that there is no answer yet.
it.skipIf(process.platform !== 'linux')(
  'status prints how to continue a bridge that is stopped by a signal',
  async () => {
    const place = temporaryPlace();
    const { ready } = await startDaemonProcess(place, '--ws-port', 'off');
    process.kill(ready.pid, 'SIGSTOP');
    for (const words of [['status'], ['grants', '--json']]) {
      expect(await startFootbridge(place, words).ended).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining(
          `is stopped by a signal and answers nobody. Let it go on with: kill -CONT ${ready.pid}`,
        ),
      });
    }
    process.kill(ready.pid, 'SIGCONT');
    expect((await startFootbridge(place, ['status']).ended).code).toBe(0);
  },
);

it('status names the folder for which no bridge answers', async () => {
  const place = temporaryPlace();
  const { code, stdout } = await startFootbridge(place, ['status']).ended;
  expect(code).toBe(4);
  expect(stdout).toContain(`none answers for ${place.folder}`);
});

it.skipIf(process.platform !== 'linux')(
  'status names the forward or the program at the first endpoint, and advises no installation beside it (Linux only)',
  async () => {
    const place = temporaryPlace();
    const first = join(place.folder, 'discord-ipc-0');
    const forward = startFootbridge(place, [
      'forward',
      '--from',
      first,
      '--to',
      '/nowhere/bridge',
      '--rights',
      'full',
    ]);
    await forward.stderrWith('Forwarding');
    const beside = await startFootbridge(place, ['status']).ended;
    expect(beside.stdout).toMatch(/^forward +\S+\/discord-ipc-0: footbridge forward, .*pid \d+/m);
    expect(beside.stdout).not.toContain('footbridge install');
    forward.child.kill('SIGTERM');
    await forward.ended;
    const script = join(place.folder, 'client.mjs');
    writeFileSync(
      script,
      `import { createServer } from 'node:net';\ncreateServer().listen(${JSON.stringify(first)}, () => console.log('up'));\n`,
    );
    const hung = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void hung.kill('SIGKILL'));
    await once(hung.stdout, 'data');
    hung.kill('SIGSTOP');
    const { stdout } = await startFootbridge(place, ['status']).ended;
    expect(stdout).toMatch(
      new RegExp(
        `^program +\\S+/discord-ipc-0: .*client\\.mjs.*pid ${hung.pid}.*does not answer: it may hang or be stopped$`,
        'm',
      ),
    );
    expect(stdout).toMatch(/^to do +most apps look only at /m);
    expect(stdout).not.toContain('footbridge install');
  },
);

it.skipIf(process.platform !== 'linux')(
  'status beside a bridge or forward that it cannot know as one does not only advise to end it (Linux only)',
  async () => {
    const [place, elsewhere] = [temporaryPlace(), temporaryPlace()];
    const from = join(place.folder, 'discord-ipc-0');
    await using bridge = await startEmulator();
    const words = ['forward', '--from', from, '--to', bridge.endpoint, '--rights', 'full'];
    const forward = startFootbridge(elsewhere, words);
    await forward.stderrWith('Forwarding');
    const { stdout } = await startFootbridge(place, ['status']).ended;
    expect(stdout).toMatch(/^program +\S+\/discord-ipc-0: .* serves it$/m);
    expect(stdout).toMatch(/^to do +nothing if apps reach a bridge of yours there, .*; otherwise most apps/m);
    forward.child.kill('SIGTERM');
    await forward.ended;
  },
);
