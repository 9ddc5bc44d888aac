import { expect, it, onTestFinished } from 'vitest';
import { ClientError, connect } from '../../src/client/index.ts';
import { Opcode } from '../../src/wire/codes.ts';
import { runClientStreams, streamChunks } from '../fuzz/client-streams.ts';
import { scriptedServer, wellBehaved } from '../helpers/scripted-server.ts';

/** `npm run torture` runs 10,000 of them, and others each time. */
const STREAMS = 1000;
const SOCKET_STREAMS = 200;

it(`the client lets no exception escape from ${STREAMS} hostile streams and closes each exactly once`, async () => {
  const { escaped, ready, answered, refused } = await runClientStreams(0, STREAMS);
  expect(escaped).toEqual([]);
  // A stream of mere noise would prove little.
  expect(ready).toBeGreaterThan(STREAMS / 4);
  expect(answered).toBeGreaterThan(STREAMS / 20);
  expect(answered + refused).toBe(3 * STREAMS);
}, 120_000);

it(`the client survives ${SOCKET_STREAMS} hostile streams on a real socket, one after the other, and then works`, async () => {
  const seen: unknown[] = [];
  const keep = (error: unknown): void => void seen.push(error);
  process.on('uncaughtException', keep);
  process.on('unhandledRejection', keep);
  onTestFinished(() => {
    process.off('uncaughtException', keep);
    process.off('unhandledRejection', keep);
  });
  const server = await scriptedServer((frame, peer, connection) => {
    if (connection === SOCKET_STREAMS) return wellBehaved(frame, peer, connection);
    if (frame.opcode !== Opcode.HANDSHAKE) return;
    for (const chunk of streamChunks(connection)) peer.write(chunk);
    peer.socket.end();
  });
  for (let i = 0; i < SOCKET_STREAMS; i++) {
    const client = await connect({ clientId: '1', paths: [server.path], reconnect: false }).catch(
      (error) => error,
    );
    if (client instanceof Error) expect(client).toBeInstanceOf(ClientError);
    else await client.close();
  }
  const client = await connect({ clientId: '1', paths: [server.path] });
  onTestFinished(() => client.close());
  expect(await client.requestRaw('ECHO', { n: 1 })).toEqual({ n: 1 });
  expect(seen).toEqual([]);
}, 60_000);
