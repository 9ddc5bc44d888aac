import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connect } from '../../src/client/index.ts';
import type { JournalEntry } from '../../src/journal/entry.ts';
import { playClient } from '../../src/record/client.ts';
import { scriptsIn } from '../../src/record/script.ts';
import { playServer } from '../../src/record/server.ts';
import { silentLogger } from '../../src/server/options.ts';
import { type PrivateBridge, startPrivateBridge } from '../../src/testing/private-bridge.ts';
import { Opcode } from '../../src/wire/codes.ts';
import { STREAM_NOTICE } from '../../src/wire/streams.ts';
import { onFrames } from '../helpers/framed-socket.ts';
import { temporaryFolder } from '../helpers/sockets.ts';

const CLIENT_ID = '300000000000000001';

async function bridge(): Promise<PrivateBridge> {
  const started = await startPrivateBridge({ fixture: null, consent: 'allow', logger: silentLogger });
  onTestFinished(() => started.close());
  return started;
}

/** An app made with our library. */
async function life(path: string): Promise<void> {
  const client = await connect({ clientId: CLIENT_ID, paths: [path], reconnect: false });
  await client.setActivity({ details: 'as then' }, { pid: 42 });
  await client.requestRaw('GET_USER', { id: '1' });
  await client.close();
}

/** A record of this app, as it is made now. */
async function recorded(emulator: PrivateBridge): Promise<readonly JournalEntry[]> {
  const entries: JournalEntry[] = [];
  const stop = emulator.journal.follow((entry) => void entries.push(entry));
  await life(emulator.endpoint);
  await expect.poll(() => entries.at(-1)?.kind).toBe('end');
  stop();
  return entries;
}

/** The same record as it was made before READY had an offer. */
function asOld(entries: readonly JournalEntry[]): readonly JournalEntry[] {
  return entries.flatMap((entry) => {
    if (entry.kind !== 'frame') return entry;
    if (entry.text === STREAM_NOTICE) return [];
    return { ...entry, text: entry.text.replace(/,"footbridge":\{[^}]*\}/, '') };
  });
}

const textOf = (entries: readonly JournalEntry[]) => JSON.stringify(entries);

describe.each([
  ['a record of an app that sent the notice of streams', (entries: readonly JournalEntry[]) => entries],
  ['a record from before READY offered streams', asOld],
])('%s', (_, of) => {
  it('is replayed to a server that offers streams', async () => {
    const emulator = await bridge();
    const entries = await recorded(emulator);
    expect(textOf(entries)).toContain('stream_ping');
    expect(textOf(asOld(entries))).not.toMatch(/stream/);
    const { endpoint } = emulator;
    const found = await playClient(of(entries), { endpoint, api: undefined, timing: false, timeoutMs: 5000 });
    expect(found).toEqual([]);
  });
  it('is replayed to an app that reads streams', async () => {
    const entries = of(await recorded(await bridge()));
    const endpoint = join(temporaryFolder(), 'discord-ipc-0');
    const server = await playServer(scriptsIn(entries), { endpoint, timing: false });
    await life(endpoint);
    expect(server.end()).toEqual([]);
  });
});

it('a record with the notice of streams is replayed to a server without the offer, which receives no PING', async () => {
  const entries = await recorded(await bridge());
  const endpoint = join(temporaryFolder(), 'discord-ipc-0');
  const opcodes: number[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    onFrames(socket, ({ opcode }) => void opcodes.push(opcode));
  });
  await new Promise<void>((resolve) => server.listen(endpoint, resolve));
  onTestFinished(() => void server.close());
  const found = await playClient(entries, { endpoint, api: undefined, timing: false, timeoutMs: 100 });
  expect(found.map(({ what }) => what)).not.toContain('connection 1: PONG from the server');
  expect(opcodes).toContain(Opcode.FRAME);
  expect(opcodes).not.toContain(Opcode.PING);
});
