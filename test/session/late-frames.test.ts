import { expect, it } from 'vitest';
import { LateFrames } from '../../src/session/late-frames.ts';
import { Opcode } from '../../src/wire/codes.ts';
import { type EncodedFrame, encodeFrame } from '../../src/wire/frame.ts';

const MAX_UNREAD = 1_000_000;
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Frames by name; what was sent is unread until `late.backlog` says otherwise. */
function setUp() {
  const sent: string[] = [];
  const waiting: [number, number][] = [];
  let unread = 0;
  const late = new LateFrames({
    maxUnread: MAX_UNREAD,
    send: ({ body, bytes }) => {
      sent.push(Buffer.from(body).toString().trim());
      unread += bytes.byteLength;
      late.backlog(unread);
    },
    changed: () => void waiting.push([late.bytes, late.answers]),
  });
  const read = async (): Promise<void> => {
    unread = 0;
    late.backlog(0);
    await turn();
    await turn();
  };
  return { late, sent, waiting, read };
}

function frame(name: string, bytes = 100): EncodedFrame {
  return encodeFrame(Opcode.FRAME, name.padEnd(bytes - 8));
}

it('LateFrames sends small frames, and large ones while there is room', () => {
  const { late, sent, waiting } = setUp();
  late.send(frame('large', 2_000_000), 'answer');
  late.send(frame('small'), 'answer');
  late.send(frame('event'), 'event');
  expect(sent).toEqual(['large', 'small', 'event']);
  expect(waiting).toEqual([]);
});

it('LateFrames sends every frame behind a waiting large frame in order', async () => {
  const { late, sent, waiting, read } = setUp();
  late.send(frame('first', 2_000_000), 'answer');
  late.send(frame('second', 2_000_000), 'answer');
  late.send(frame('small'), 'answer');
  late.send(frame('event'), 'event');
  await turn();
  expect(sent).toEqual(['first']);
  expect(waiting.at(-1)).toEqual([2_000_200, 2]);
  await read();
  expect(sent).toEqual(['first', 'second']);
  expect(waiting.at(-1)).toEqual([200, 1]);
  await read();
  expect(sent).toEqual(['first', 'second', 'small', 'event']);
  expect(waiting.at(-1)).toEqual([0, 0]);
});

it('LateFrames sends at most the unread limit in one turn while no backlog is reported', async () => {
  const sent: EncodedFrame[] = [];
  const late = new LateFrames({ maxUnread: MAX_UNREAD, send: (one) => void sent.push(one), changed() {} });
  for (let n = 0; n < 3; n++) late.send(frame('large', 2_000_000), 'answer');
  expect(sent.length).toBe(1);
  await expect.poll(() => sent.length).toBe(3);
});

it('LateFrames drops the waiting frames at end()', async () => {
  const { late, sent, read } = setUp();
  late.send(frame('first', 2_000_000), 'answer');
  late.send(frame('second', 2_000_000), 'answer');
  late.end();
  expect([late.bytes, late.answers]).toEqual([0, 0]);
  await read();
  expect(sent).toEqual(['first']);
});

it('LateFrames copies a waiting frame that shares its memory with others', () => {
  const { late, sent } = setUp();
  late.send(frame('first', 2_000_000), 'answer');
  late.send(frame('second', 2_000_000), 'answer');
  const shared = encodeFrame(Opcode.FRAME, 'brief', 'brief');
  late.send(shared, 'answer');
  shared.bytes.fill(0);
  expect(sent).toEqual(['first']);
  late.backlog(0);
  return expect.poll(() => sent.length).toBe(2);
});

it('LateFrames begins to wait only at frames of more than 64 KiB', () => {
  const { late, sent } = setUp();
  late.send(frame('first', MAX_UNREAD + 1), 'answer');
  late.send(frame('most', 64 * 1024), 'answer');
  expect(sent).toEqual(['first', 'most']);
  late.send(frame('more', 64 * 1024 + 1), 'answer');
  expect(sent).toEqual(['first', 'most']);
});

it('LateFrames has room up to the unread limit', async () => {
  for (const [unread, expected] of [
    [MAX_UNREAD, ['large']],
    [MAX_UNREAD + 1, []],
  ] as const) {
    const sent: string[] = [];
    const send = ({ body }: EncodedFrame) => void sent.push(Buffer.from(body).toString().trim());
    const late = new LateFrames({ maxUnread: MAX_UNREAD, send, changed() {} });
    late.backlog(unread);
    late.send(frame('large', 100_000), 'event');
    await turn();
    expect(sent).toEqual(expected);
  }
});

it('LateFrames counts the bytes of all waiting frames, and the answers among them', async () => {
  const { late, waiting, read } = setUp();
  late.send(frame('first', 2_000_000), 'answer');
  expect([late.bytes, late.answers]).toEqual([0, 0]);
  late.send(frame('event', 200_000), 'event');
  late.send(frame('small event', 100), 'event');
  late.send(frame('answer', 100), 'answer');
  expect(waiting).toEqual([
    [200_000, 0],
    [200_100, 0],
    [200_200, 1],
  ]);
  await read();
  expect(waiting.at(-1)).toEqual([0, 0]);
  // Everything left in one go, and it was said once.
  expect(waiting.length).toBe(4);
});

it('LateFrames reports no change while no frame waits, and sends no frame twice', async () => {
  const { late, sent, waiting, read } = setUp();
  late.send(frame('small'), 'answer');
  await read();
  await read();
  expect(sent).toEqual(['small']);
  expect(waiting).toEqual([]);
});

it('LateFrames stops when a frame that it sends ends the session', async () => {
  const sent: string[] = [];
  const changes: number[] = [];
  const late: LateFrames = new LateFrames({
    maxUnread: MAX_UNREAD,
    send({ body }) {
      sent.push(Buffer.from(body).toString().trim());
      if (sent.length === 2) late.end();
    },
    changed: () => void changes.push(late.bytes),
  });
  late.backlog(MAX_UNREAD + 1);
  late.send(frame('small'), 'answer');
  for (const name of ['last', 'never']) late.send(frame(name, 100_000), 'answer');
  const before = changes.length;
  late.backlog(0);
  await turn();
  await turn();
  expect(sent).toEqual(['small', 'last']);
  expect([late.bytes, late.answers]).toEqual([0, 0]);
  expect(changes.length).toBe(before);
});
