import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Client, connect } from '../../src/client/index.ts';
import { authorize } from '../../src/client/oauth2.ts';
import { Opcode } from '../../src/wire/codes.ts';
import { eventually } from '../helpers/eventually.ts';
import { concatBytes, frameBytes } from '../helpers/frame-bytes.ts';
import { type Script, scriptedServer, wellBehaved } from '../helpers/scripted-server.ts';

const clientId = '207646673902501888';
const reason = { why: 'enough' };

/** Answers at once, and every SUBSCRIBE with an event in the same write. */
const chatty: Script = (frame, peer, connection) => {
  const { cmd, nonce, evt, args } = frame.body;
  if (cmd === 'AUTHORIZE') return peer.payload({ cmd, nonce, data: { code: 'the-code', state: args.state } });
  if (frame.opcode !== Opcode.FRAME || cmd !== 'SUBSCRIBE') return wellBehaved(frame, peer, connection);
  const payloads = [
    { cmd, nonce, data: { evt }, evt: null },
    { cmd: 'DISPATCH', nonce: null, data: { n: 1 }, evt },
  ];
  peer.write(concatBytes(...payloads.map((payload) => frameBytes(Opcode.FRAME, JSON.stringify(payload)))));
};

/** What a program may be waiting for. */
const waits: Record<string, (client: Client, signal?: AbortSignal) => Promise<unknown>> = {
  request: (client, signal) => client.request('GET_GUILDS', {}, { signal }),
  setActivity: (client, signal) => client.setActivity({ details: 'By the river' }, { signal }),
  subscribe: (client, signal) => client.subscribe('GUILD_CREATE', {}, () => {}, { signal }),
  authenticate: (client, signal) => client.authenticate('token', { signal }),
  authorize: (client, signal) =>
    authorize(client, { api: 'http://127.0.0.1:9', clientId, scopes: ['rpc'], signal }),
  async events(client, signal) {
    for await (const _event of client.events('GUILD_CREATE', {}, { signal }));
  },
};

/** Aborts after so many turns of the loop; from the last on everything has been answered. */
const TURNS = Array.from({ length: 16 }, (_, n) => n);

async function abortAfter(turns: number, abort: AbortController): Promise<void> {
  for (let n = 0; n < turns; n++) await nextTurn();
  abort.abort(reason);
}

describe.each(Object.entries(waits))('%s', (name, wait) => {
  it('stops at any point when its signal aborts, and leaves the connection usable', async () => {
    const server = await scriptedServer(chatty);
    const outcomes = new Set<string>();
    for (const turns of TURNS) {
      const client = await connect({ clientId, paths: [server.path] });
      onTestFinished(() => client.close());
      const abort = new AbortController();
      const ended = wait(client, abort.signal).then(
        () => 'done',
        (error) => (error === reason ? 'aborted' : String(error)),
      );
      await abortAfter(turns, abort);
      outcomes.add(await ended);
      expect(await client.requestRaw('ECHO', { n: turns })).toEqual({ n: turns });
      await client.close();
    }
    // No token endpoint is there: whoever was not aborted was told so.
    const answered = name === 'authorize' ? expect.stringMatching(/^TypeError: /) : 'done';
    expect([...outcomes]).toEqual(['aborted', answered]);
  });

  it('stops at any point when the signal of the client aborts, without an unhandled rejection', async () => {
    const escaped: unknown[] = [];
    const keep = (error: unknown): void => void escaped.push(error);
    process.on('unhandledRejection', keep);
    onTestFinished(() => void process.off('unhandledRejection', keep));
    const server = await scriptedServer(chatty);
    for (const turns of TURNS) {
      const abort = new AbortController();
      const { signal } = abort;
      const client = connect({ clientId, paths: [server.path], signal, token: async () => 'first' });
      const ended = client.then(wait).catch(() => {});
      await abortAfter(turns, abort);
      await ended;
      await client.then(
        ({ state }) => expect(state).toBe('closed'),
        (error) => expect(error).toBe(reason),
      );
    }
    await eventually(() => expect(server.peers.every(({ socket }) => socket.destroyed)).toBe(true));
    expect(escaped).toEqual([]);
  });
});

it.each<[string, (client: Client, abort: AbortController) => void]>([
  ['aborts the signal of the loop', (_client, abort) => abort.abort()],
  ['closes the client', (client) => void client.close()],
])('an event loop stops when an event in the same write as the SUBSCRIBE response %s', async (_what, end) => {
  const server = await scriptedServer(chatty);
  const client = await connect({ clientId, paths: [server.path] });
  onTestFinished(() => client.close());
  const abort = new AbortController();
  client.on('dispatch', () => end(client, abort));
  const heard: unknown[] = [];
  for await (const data of client.events('GUILD_CREATE', {}, { signal: abort.signal })) heard.push(data);
  expect(heard).toEqual([{ n: 1 }]);
});
