import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { Opcode } from '../../src/wire/codes.ts';
import { FrameDecoder, framesOf } from '../../src/wire/decoder.ts';
import { encodeFrame } from '../../src/wire/frame.ts';
import { type Daemon, startDaemon } from '../helpers/daemon.ts';
import { startApp } from './start-app.ts';

const CLIENT_ID = '300000000000000001';

interface Message {
  readonly cmd: string;
  readonly evt: string | null;
  readonly nonce: string | null;
  readonly data: { readonly details?: string } | null;
}

let daemon: Daemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(async () => {
  await daemon?.stop();
});

it.each([
  ['at once', 200, () => {}],
  // By the second update it counts as slow; more answers than the kernel holds then leave one by one.
  ['over some time', 400, (n: number) => sleep(n === 1 ? 400 : 1)],
])(
  'an app that sends its updates %s and never reads blocks no other app, and later reads %i answers',
  async (_how, count, pause) => {
    const socket = connect(daemon.endpoint).pause();
    onTestFinished(() => void socket.destroy());
    socket.write(encodeFrame(Opcode.HANDSHAKE, JSON.stringify({ v: 1, client_id: CLIENT_ID })).bytes);
    for (let n = 1; n <= count; n++) {
      socket.write(update(n));
      await pause(n);
    }
    // Five updates in 20 s have an effect; the others are answered, and the last one is shown later.
    await expect.poll(shownDetails, { timeout: 10_000 }).toContain('Update 5');

    const other = startApp('discord-rpc', daemon.env);
    await other.connect(CLIENT_ID);
    expect(await other.setActivity('Served meanwhile')).toMatchObject({ details: 'Served meanwhile' });
    await other.end();

    const [ready, ...answers] = await read(socket, 1 + count);
    expect(ready).toMatchObject({ cmd: 'DISPATCH', evt: 'READY' });
    expect(answers.map(({ nonce, evt, data }) => [nonce, evt, data?.details])).toEqual(
      Array.from({ length: count }, (_, n) => [String(n + 1), null, `Update ${n + 1}`]),
    );
  },
);

function update(n: number): Uint8Array {
  const args = { pid: process.pid, activity: { details: `Update ${n}`, state: 's'.repeat(100) } };
  const request = { cmd: 'SET_ACTIVITY', args, nonce: String(n) };
  return encodeFrame(Opcode.FRAME, JSON.stringify(request)).bytes;
}

async function shownDetails(): Promise<readonly unknown[]> {
  const state = (await daemon.json('emulator', 'show')) as {
    readonly activities: readonly { readonly activity: { readonly details?: string } | null }[];
  };
  return state.activities.map(({ activity }) => activity?.details);
}

/** Reads that many messages; rejects when the connection ends before. */
async function read(socket: Socket, count: number): Promise<readonly Message[]> {
  const decoder = new FrameDecoder(64 * 1024);
  const messages: Message[] = [];
  for await (const chunk of socket.resume() as AsyncIterable<Uint8Array>) {
    for (const frame of framesOf(decoder, chunk)) {
      messages.push(JSON.parse(new TextDecoder().decode(frame.body)) as Message);
    }
    if (messages.length >= count) return messages;
  }
  throw new Error(`the connection ended after ${messages.length} messages`);
}
