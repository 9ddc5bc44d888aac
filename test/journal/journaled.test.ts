import { expect, it } from 'vitest';
import { Journal } from '../../src/journal/journal.ts';
import { ServerJournal } from '../../src/server/journaled.ts';
import { Opcode } from '../../src/wire/codes.ts';
import type { Connection, ConnectionListener } from '../../src/wire/connection.ts';
import { encodeFrame, type Frame } from '../../src/wire/frame.ts';

it('tells of a frame that is larger than the journal keeps, and of none of its text', () => {
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
  const tapped = new ServerJournal(journal).connection('s', connection);
  tapped.start({ frame: ({ body }: Frame) => heard.push(body.byteLength) } as unknown as ConnectionListener);
  for (const length of [30, 31]) {
    const frame = encodeFrame(Opcode.FRAME, JSON.stringify({ text: 'x'.repeat(length - 1) }));
    listener.frame?.(frame);
    tapped.send(frame);
  }
  expect(heard).toEqual([40, 41]);
  const texts = journal.read({ kinds: ['frame'] }).entries.map((entry) => 'text' in entry && entry.text);
  const kept = `{"text":"${'x'.repeat(29)}"}`;
  expect(texts).toEqual([kept, kept, '(JSON, 41 bytes)', '(JSON, 41 bytes)']);
});
