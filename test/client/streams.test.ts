import { expect, it, onTestFinished } from 'vitest';
import { connect } from '../../src/client/index.ts';
import { Opcode } from '../../src/wire/codes.ts';
import { STREAM_NOTICE, STREAM_OFFER } from '../../src/wire/streams.ts';
import { type Script, scriptedReady, scriptedServer, wellBehaved } from '../helpers/scripted-server.ts';

/** Answers as a well-behaved server, with more members in `data` of READY. */
function offering(more: object): Script {
  return (frame, peer, connection) => {
    if (frame.opcode !== Opcode.HANDSHAKE) return wellBehaved(frame, peer, connection);
    peer.payload({ evt: 'READY', data: { ...scriptedReady, ...more } });
  };
}

it.each([
  ['sends the notice once to a server that offers streams', STREAM_OFFER, [JSON.parse(STREAM_NOTICE)]],
  ['sends no PING to a server without the offer', {}, []],
  ['sends no PING for an offer of another text', { footbridge: { stream_ping: 'x' } }, []],
])('the client %s', async (_, more, bodies) => {
  const server = await scriptedServer(offering(more));
  const client = await connect({ clientId: '207646673902501888', paths: [server.path] });
  onTestFinished(() => client.close());
  await client.requestRaw('ECHO', { n: 1 });
  const pings = server.peer.received.filter(({ opcode }) => opcode === Opcode.PING);
  expect(pings.map(({ body }) => body as unknown)).toEqual(bodies);
});
