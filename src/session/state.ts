import { type Handshake, readHandshake } from '../protocol/handshake.ts';
import { CloseError } from '../wire/close-error.ts';
import { CloseCode, Opcode } from '../wire/codes.ts';
import type { Frame } from '../wire/frame.ts';
import { isStreamNotice } from '../wire/streams.ts';

/** State of a session. */
export type State =
  | { readonly kind: 'handshaking' }
  /** The core is opening the session; requests wait in `held` until it has. */
  | {
      readonly kind: 'identifying';
      readonly held: readonly Frame[];
      readonly heldBytes: number;
    }
  | { readonly kind: 'ready' }
  /** The CLOSE frame was sent; further input is dropped. */
  | { readonly kind: 'closing' }
  | { readonly kind: 'closed' };

/** Input of the session's state machine. */
export type Input =
  | { readonly kind: 'frame'; readonly frame: Frame }
  /** The core has accepted the app. */
  | { readonly kind: 'accepted' }
  /** The bridge ends the session, because of an invalid frame, a refusal by the core, a deadline or a shutdown. */
  | { readonly kind: 'close'; readonly error: CloseError }
  /** The peer has disconnected. */
  | { readonly kind: 'ended' };

/** Effects of a step of the state machine, in the order in which they run. */
export type Effect =
  | { readonly kind: 'pong'; readonly body: Uint8Array }
  /** The peer parses every frame of a read: frames need not wait for one another. */
  | { readonly kind: 'unpace' }
  | { readonly kind: 'open'; readonly handshake: Handshake }
  | { readonly kind: 'welcome' }
  | { readonly kind: 'request'; readonly body: Uint8Array }
  /** Stops reading until READY is sent, because too many frames or bytes are held. */
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'close'; readonly code: number; readonly message: string }
  | { readonly kind: 'dispose' };

/** Maximum number of frames, and of their bytes, that are held until READY is sent. */
export interface HoldLimits {
  readonly heldFrames: number;
  readonly heldBytes: number;
}

type Step = readonly [State, readonly Effect[]];

export const initialState: State = { kind: 'handshaking' };
// State and step that thousands of sessions share, to save memory.
const READY: State = { kind: 'ready' };
const WELCOMED: Step = [READY, [{ kind: 'welcome' }]];
const ENDED: Step = [{ kind: 'closed' }, [{ kind: 'dispose' }]];

/** State machine of a session as a pure function: it uses no clock, no socket and no core. */
export function step(state: State, input: Input, limits: HoldLimits): Step {
  switch (input.kind) {
    case 'frame':
      return onFrame(state, input.frame, limits);
    case 'accepted':
      if (state.kind !== 'identifying') return [state, []];
      if (state.held.length === 0) return WELCOMED;
      return [
        READY,
        [
          { kind: 'welcome' },
          ...state.held.map((frame): Effect => ({ kind: 'request', body: frame.body })),
          ...(isFull(state.held.length, state.heldBytes, limits) ? [{ kind: 'resume' } as const] : []),
        ],
      ];
    case 'close':
      return close(state, input.error.code, input.error.message);
    case 'ended':
      return state.kind === 'closed' ? [state, []] : ENDED;
  }
}

function onFrame(state: State, frame: Frame, limits: HoldLimits): Step {
  if (state.kind === 'closing' || state.kind === 'closed') return [state, []];
  switch (frame.opcode) {
    case Opcode.HANDSHAKE:
      return onHandshake(state, frame);
    case Opcode.FRAME:
      return onRequest(state, frame, limits);
    case Opcode.PING:
      if (state.kind === 'ready' && isStreamNotice(frame.body))
        return [state, [{ kind: 'unpace' }, { kind: 'pong', body: frame.body }]];
      // PING is answered in every state, because other servers detect a live owner of an index with a PING and no
      // handshake.
      return [state, [{ kind: 'pong', body: frame.body }]];
    case Opcode.PONG:
      return [state, []];
    case Opcode.CLOSE:
      return close(state, CloseCode.NORMAL, 'Closed at your request');
  }
}

function onHandshake(state: State, frame: Frame): Step {
  if (state.kind !== 'handshaking') {
    return close(state, CloseCode.UNSUPPORTED, 'HANDSHAKE was already sent on this connection');
  }
  try {
    const handshake = readHandshake(frame.body);
    return [{ kind: 'identifying', held: [], heldBytes: 0 }, [{ kind: 'open', handshake }]];
  } catch (error) {
    if (error instanceof CloseError) return close(state, error.code, error.message);
    throw error;
  }
}

function onRequest(state: State, frame: Frame, limits: HoldLimits): Step {
  if (state.kind === 'ready') return [state, [{ kind: 'request', body: frame.body }]];
  if (state.kind !== 'identifying') {
    return close(state, CloseCode.UNSUPPORTED, 'FRAME before HANDSHAKE');
  }
  const held = [...state.held, frame];
  const heldBytes = state.heldBytes + frame.body.byteLength;
  const full = isFull(held.length, heldBytes, limits);
  return [{ ...state, held, heldBytes }, full ? [{ kind: 'pause' }] : []];
}

function isFull(frames: number, bytes: number, limits: HoldLimits): boolean {
  return frames >= limits.heldFrames || bytes >= limits.heldBytes;
}

function close(state: State, code: number, message: string): Step {
  if (state.kind === 'closing' || state.kind === 'closed') return [state, []];
  return [{ kind: 'closing' }, [{ kind: 'close', code, message }]];
}
