import { describe, expect, it } from 'vitest';
import { type Effect, type Input, initialState, type State, step } from '../../src/session/state.ts';
import { CloseError } from '../../src/wire/close-error.ts';
import { CloseCode, Opcode } from '../../src/wire/codes.ts';
import type { Frame } from '../../src/wire/frame.ts';
import { STREAM_NOTICE } from '../../src/wire/streams.ts';

const limits = { heldFrames: 3, heldBytes: 100 };
const ID = '207646673902501888';

function frame(opcode: Opcode, body = ''): Frame {
  return { opcode, body: new TextEncoder().encode(body) };
}

const handshake = frame(Opcode.HANDSHAKE, `{"v":1,"client_id":"${ID}"}`);
const request = frame(Opcode.FRAME, '{"cmd":"A"}');
const broken = frame(Opcode.FRAME, 'not even JSON');
const ping = frame(Opcode.PING, '"a"');
const largePing = frame(Opcode.PING, 'x'.repeat(100_000));
const notice = frame(Opcode.PING, STREAM_NOTICE);
const held = frame(Opcode.FRAME, 'held');

/** One state of each kind. A new kind without one, or one without a row below, does not compile. */
const states: { readonly [K in State['kind']]: Extract<State, { kind: K }> } = {
  handshaking: { kind: 'handshaking' },
  identifying: { kind: 'identifying', held: [held], heldBytes: 4 },
  ready: { kind: 'ready' },
  closing: { kind: 'closing' },
  closed: { kind: 'closed' },
};

type OpcodeName = keyof typeof Opcode;
type OwnInput = Exclude<Input['kind'], 'frame'>;
type FrameInput = OpcodeName | 'HANDSHAKE refused' | 'FRAME broken' | 'PING large' | 'PING notice';

/** Every kind of input; frames once for each opcode and each way of taking it. */
const inputs: Record<FrameInput, Frame> & { readonly [K in OwnInput]: Extract<Input, { kind: K }> } = {
  HANDSHAKE: handshake,
  'HANDSHAKE refused': frame(Opcode.HANDSHAKE, '{"v":2,"client_id":"1"}'),
  FRAME: request,
  // A body is not looked at before it is served.
  'FRAME broken': broken,
  CLOSE: frame(Opcode.CLOSE, '{}'),
  PING: ping,
  'PING large': largePing,
  'PING notice': notice,
  PONG: frame(Opcode.PONG, '1'),
  accepted: { kind: 'accepted' },
  close: { kind: 'close', error: new CloseError(CloseCode.TOKEN_REVOKED, 'Token revoked') },
  ended: { kind: 'ended' },
};

type Cell = readonly [next: State, ...effects: Effect[]];
type Row = Readonly<Record<keyof typeof inputs, Cell>>;

const closes = (code: number, message: string): Cell => [states.closing, { kind: 'close', code, message }];
const closed1003 = (message: string) => closes(CloseCode.UNSUPPORTED, message);
const pong = (state: State, { body }: Frame): Cell => [state, { kind: 'pong', body }];
const stays = (state: State): Cell => [state];

/** What holds for every state in which the peer is still listened to. */
function alive(state: State) {
  return {
    CLOSE: closes(CloseCode.NORMAL, 'Closed at your request'),
    PING: pong(state, ping),
    'PING large': pong(state, largePing),
    'PING notice': pong(state, notice),
    PONG: stays(state),
    close: closes(CloseCode.TOKEN_REVOKED, 'Token revoked'),
    ended: [states.closed, { kind: 'dispose' }],
  } as const satisfies Partial<Row>;
}

const again = closed1003('HANDSHAKE was already sent on this connection');
const early = closed1003('FRAME before HANDSHAKE');

const matrix: { readonly [K in State['kind']]: Row } = {
  handshaking: {
    ...alive(states.handshaking),
    HANDSHAKE: [
      { kind: 'identifying', held: [], heldBytes: 0 },
      { kind: 'open', handshake: { clientId: ID } },
    ],
    'HANDSHAKE refused': closes(CloseCode.INVALID_VERSION, 'Unsupported protocol version: v must be 1'),
    FRAME: early,
    'FRAME broken': early,
    accepted: stays(states.handshaking),
  },
  identifying: {
    ...alive(states.identifying),
    HANDSHAKE: again,
    'HANDSHAKE refused': again,
    FRAME: [{ ...states.identifying, held: [held, request], heldBytes: 4 + 11 }],
    'FRAME broken': [{ ...states.identifying, held: [held, broken], heldBytes: 4 + 13 }],
    accepted: [states.ready, { kind: 'welcome' }, { kind: 'request', body: held.body }],
  },
  ready: {
    ...alive(states.ready),
    HANDSHAKE: again,
    'HANDSHAKE refused': again,
    FRAME: [states.ready, { kind: 'request', body: request.body }],
    'FRAME broken': [states.ready, { kind: 'request', body: broken.body }],
    'PING notice': [states.ready, { kind: 'unpace' }, { kind: 'pong', body: notice.body }],
    accepted: stays(states.ready),
  },
  closing: { ...deaf(states.closing), ended: [states.closed, { kind: 'dispose' }] },
  closed: deaf(states.closed),
};

/** Whatever comes, nothing happens. */
function deaf(state: State): Row {
  const names = Object.keys(inputs) as (keyof typeof inputs)[];
  return Object.fromEntries(names.map((name) => [name, stays(state)])) as unknown as Row;
}

describe.each(Object.entries(states))('the state %s', (kind, state) => {
  it.each(Object.entries(inputs))('handles the input %s', (name, input) => {
    const cell = matrix[kind as State['kind']][name as keyof typeof inputs];
    const [next, ...effects] = cell;
    const before = structuredClone(state);
    const taken = step(state, 'opcode' in input ? { kind: 'frame', frame: input } : input, limits);
    expect(taken).toEqual([next, effects]);
    expect(state, 'a step must not change the state it was given').toEqual(before);
  });
});

it('the inputs of this test include every opcode', () => {
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(Opcode)));
});

it('the initial state is handshaking', () => {
  expect(initialState).toEqual(states.handshaking);
});

describe('holding requests', () => {
  /** Feeds frames to a session whose core is still busy. */
  function hold(...bodies: string[]): { state: State; pauses: number[] } {
    let state: State = { kind: 'identifying', held: [], heldBytes: 0 };
    const pauses: number[] = [];
    bodies.forEach((body, i) => {
      const [next, effects] = step(state, { kind: 'frame', frame: frame(Opcode.FRAME, body) }, limits);
      state = next;
      if (effects.some(({ kind }) => kind === 'pause')) pauses.push(i + 1);
    });
    return { state, pauses };
  }
  const accept = (state: State) => step(state, { kind: 'accepted' }, limits)[1].map(({ kind }) => kind);

  it('pauses at the frame that reaches the count limit, and resumes after the last was served', () => {
    expect(hold('1', '2').pauses).toEqual([]);
    const { state, pauses } = hold('1', '2', '3');
    expect(pauses).toEqual([3]);
    expect(accept(state)).toEqual(['welcome', 'request', 'request', 'request', 'resume']);
  });
  it('pauses at the byte that reaches the size limit', () => {
    expect(hold('x'.repeat(99)).pauses).toEqual([]);
    const { state, pauses } = hold('x'.repeat(100));
    expect(pauses).toEqual([1]);
    expect(accept(state)).toEqual(['welcome', 'request', 'resume']);
  });
  it('loses no frame that arrives after the pause', () => {
    const { state } = hold('1', '2', '3', '4');
    expect(accept(state)).toEqual(['welcome', 'request', 'request', 'request', 'request', 'resume']);
  });
  it('does not resume a connection that was not paused', () => {
    expect(accept(hold('1', '2').state)).toEqual(['welcome', 'request', 'request']);
  });
  it('answers a PING among the requests at once', () => {
    const { state } = hold('1');
    expect(step(state, { kind: 'frame', frame: ping }, limits)).toEqual([
      state,
      [{ kind: 'pong', body: ping.body }],
    ]);
  });
});
