import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connect } from '../../src/client/index.ts';
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
  it('tells one story without a chat client, with one, with an app, and after its death', async () => {
    const place = temporaryPlace();
    await startDaemonProcess(place, '--core', 'upstream', '--ws-port', 'off');
    const path = join(place.folder, 'discord-ipc-1');
    const upstream = 'the first that answers above our index';
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

  it('knows that apps are served meanwhile where there is a fallback', async () => {
    const place = temporaryPlace();
    await startDaemonProcess(place, '--core', 'upstream', '--fallback', 'emulator', '--ws-port', 'off');
    expect(await story(place)).toMatchObject({
      endpoint: expect.stringMatching(/^answers after \d+ ms$/),
      'behind it': 'no chat client runs behind it; the core "emulator" answers meanwhile',
      'to do': 'start the chat client after the bridge',
    });
  });
});

it('says on the core "upstream" that the one in front is why nobody is behind', async () => {
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

it('says what to do when another program has the index that most apps look at', async () => {
  const place = temporaryPlace();
  const first = await scriptedServer(chatClient, join(place.folder, 'discord-ipc-0'));
  await startDaemonProcess(place, '--ws-port', 'off');
  expect(await story(place)).toMatchObject({
    'not in front': expect.stringContaining(first.path),
    'to do': `most apps look only at ${first.path}: end what is there, then start the bridge, then that program again`,
  });
});

// Only Linux tells that a process is stopped; elsewhere the word is that there is no answer yet.
it.skipIf(process.platform !== 'linux')('says of a bridge that is stopped how to let it go on', async () => {
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
});
