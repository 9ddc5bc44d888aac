import { expect, it } from 'vitest';
import { Cancellation } from '../../src/session/cancellation.ts';
import { ConnectedPeer } from '../../src/session/connected-peer.ts';
import type { Connection } from '../../src/wire/connection.ts';

const peerOf = (connection: Partial<Connection>, gone = new Cancellation()) =>
  new ConnectedPeer('session', 'client', connection as Connection, gone);

/** What it has by itself. */
const ownOf = (peer: ConnectedPeer): object => Object.fromEntries(Object.entries(peer));

it('a ConnectedPeer has the properties of its connection, and no key for a missing one', () => {
  const least = { sessionId: 'session', clientId: 'client', transport: 'ipc' };
  expect(ownOf(peerOf({ kind: 'ipc' }))).toStrictEqual(least);
  const said = { origin: 'http://a.example', peer: { pid: 7, uid: 1000 }, instance: 'i' };
  expect(ownOf(peerOf({ kind: 'websocket', ...said }))).toStrictEqual({
    ...least,
    transport: 'websocket',
    origin: said.origin,
    credentials: said.peer,
    instance: 'i',
  });
});

it('a ConnectedPeer has a signal that aborts with its session', () => {
  const gone = new Cancellation();
  const { signal } = peerOf({ kind: 'ipc' }, gone);
  expect(signal.aborted).toBe(false);
  gone.end();
  expect(signal.aborted).toBe(true);
});
