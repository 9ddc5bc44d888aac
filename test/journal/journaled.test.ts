import { expect, it } from 'vitest';
import { Journal } from '../../src/journal/journal.ts';
import { ServerJournal } from '../../src/server/journaled.ts';
import { Opcode } from '../../src/wire/codes.ts';
import type { Connection, ConnectionListener } from '../../src/wire/connection.ts';
import { encodeFrame, type Frame } from '../../src/wire/frame.ts';
import { observedConnection } from '../../src/wire/observed.ts';

/** A connection of a socket whose peer the test plays. */
function playedSocket(journal: Journal) {
  let listener: Partial<ConnectionListener> = {};
  const connection = {
    kind: 'ipc',
    peer: { pid: 7 },
    start: (given: ConnectionListener) => {
      listener = given;
    },
    send: () => {},
    close: () => {},
  } as unknown as Connection;
  const observed = observedConnection(
    connection,
    new ServerJournal(journal).observerOf('s', connection, 'new'),
  );
  observed.start({ frame: () => {}, ended: () => {} } as unknown as ConnectionListener);
  const kinds = (): string[] =>
    journal
      .read()
      .entries.map((entry) => (entry.kind === 'frame' ? `${entry.direction} ${entry.opcode}` : entry.kind));
  return {
    kinds,
    send: (opcode: Opcode, body: unknown) => listener.frame?.(encodeFrame(opcode, JSON.stringify(body))),
    answer: (opcode: Opcode, body: unknown) => observed.send(encodeFrame(opcode, JSON.stringify(body))),
    close: (code: number) => observed.close(code, 'closed'),
    end: () => listener.ended?.(),
  };
}

const PROBE = 'footbridge-probe:1';

it('the journal omits a probe of our own commands', () => {
  const peer = playedSocket(new Journal());
  peer.send(Opcode.PING, PROBE);
  peer.answer(Opcode.PONG, PROBE);
  peer.send(Opcode.CLOSE, { code: 1000 });
  peer.close(1000);
  peer.end();
  expect(peer.kinds()).toEqual([]);
});

it('the journal has everything that follows a probe when its peer sends more than the probe', () => {
  for (const opcode of [Opcode.PING, Opcode.HANDSHAKE, Opcode.FRAME]) {
    const peer = playedSocket(new Journal());
    peer.send(Opcode.PING, PROBE);
    peer.answer(Opcode.PONG, PROBE);
    peer.send(opcode, PROBE);
    peer.end();
    expect(peer.kinds()).toEqual(['connect', `in ${opcode}`, 'end']);
  }
  const refused = playedSocket(new Journal());
  refused.send(Opcode.PING, PROBE);
  refused.close(1006);
  expect(refused.kinds()).toEqual(['connect', 'close']);
});

it('the journal has a probe that does not end', async () => {
  const peer = playedSocket(new Journal());
  peer.send(Opcode.PING, PROBE);
  await expect.poll(peer.kinds, { timeout: 20_000 }).toEqual(['connect']);
  peer.end();
  expect(peer.kinds()).toEqual(['connect', 'end']);
});

it('the journal has the PING of another program, and the connection of a silent peer', async () => {
  const other = playedSocket(new Journal());
  other.send(Opcode.PING, 'x');
  expect(other.kinds()).toEqual(['connect', 'in 3']);
  const silent = playedSocket(new Journal());
  await expect.poll(silent.kinds, { timeout: 20_000 }).toEqual(['connect']);
  silent.end();
  expect(silent.kinds()).toEqual(['connect', 'end']);
});

it('the journal has only the size of a frame that exceeds its text limit', () => {
  const journal = new Journal({ text: 40 });
  let listener: Partial<ConnectionListener> = {};
  const connection = {
    kind: 'ipc',
    start: (given: ConnectionListener) => {
      listener = given;
    },
    send: () => {},
  } as unknown as Connection;
  const heard: number[] = [];
  const observed = observedConnection(
    connection,
    new ServerJournal(journal).observerOf('s', connection, 'new'),
  );
  observed.start({
    frame: ({ body }: Frame) => heard.push(body.byteLength),
  } as unknown as ConnectionListener);
  for (const length of [30, 31]) {
    const frame = encodeFrame(Opcode.FRAME, JSON.stringify({ text: 'x'.repeat(length - 1) }));
    listener.frame?.(frame);
    observed.send(frame);
  }
  expect(heard).toEqual([40, 41]);
  const texts = journal.read({ kinds: ['frame'] }).entries.map((entry) => 'text' in entry && entry.text);
  const kept = `{"text":"${'x'.repeat(29)}"}`;
  expect(texts).toEqual([kept, kept, '(JSON, 41 bytes)', '(JSON, 41 bytes)']);
});
