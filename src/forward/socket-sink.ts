import type { Socket } from 'node:net';
import { connectLocally } from '../../platform/endpoint/connect-locally.ts';
import { systemErrorText } from '../../platform/system-error-text.ts';
import { isLocalError } from '../base/local-error.ts';
import { ItemsByActor } from '../scheduling/items-by-actor.ts';
import type { LoopGuard } from './loop-guard.ts';
import { joinPeers, type Peer } from './peer.ts';
import type { Sink } from './sink.ts';
import { SocketPeer } from './socket-peer.ts';

/** Time that a bridge has to accept a connection, also while other connections are made before it (ms). */
const CONNECT_MS = 5000;

/**
 * Maximum number of connections that are being made at a time, until the bridge answers. The system accepts thousands
 * more, and the bridge serves them in the order in which they came, whatever process they are for. A bridge with a full
 * queue also lets each of them try again and again, which would leave no time for anything else.
 */
const MAX_CONNECTING = 64;

/**
 * Time after which a connection without an answer no longer counts as being made (ms): its app may say nothing, or the
 * bridge may ask a person first.
 */
const ANSWER_MS = 100;

/**
 * Maximum number of sessions of one process that the bridge has not answered. Only a relay that leads back here opens more
 * of them; one that passes no probe on escapes the {@link LoopGuard}.
 */
const MAX_UNANSWERED = 512;

/** Maximum number of sessions that wait for their turn to be connected. */
export const MAX_WAITING = 4096;

const TOO_MANY = `The forward has ${MAX_WAITING} apps that wait for their connection to the bridge. Try again later.`;

const LOOP = `The bridge has not answered ${MAX_UNANSWERED} sessions of this process. Does the forward lead back to itself, over another forward? Then end one of the two.`;

interface Waiting {
  /** Number of its process; those whose process is unknown count as one. */
  readonly actor: string;
  readonly app: Peer;
  /** Time of `performance.now()` at which the app is refused. */
  readonly until: number;
}

/**
 * Leads sessions to a socket or pipe of this machine. `path` returns its path, or rejects with the reason why there is
 * none; it is called for every session, because a bridge may restart elsewhere. Processes whose sessions wait take
 * turns, so that one which connects all the time keeps no other waiting. `guard` refuses the sessions of a loop.
 */
export function socketSink(path: () => Promise<string>, guard?: LoopGuard): Sink {
  const waiting = new ItemsByActor<Waiting>();
  const unanswered = new Map<string, number>();
  let connecting = 0;
  const count = (actor: string, change: 1 | -1): void => {
    const now = (unanswered.get(actor) ?? 0) + change;
    if (now === 0) unanswered.delete(actor);
    else unanswered.set(actor, now);
  };
  const connectNext = (): void => {
    if (connecting >= MAX_CONNECTING) return;
    const next = waiting.shift();
    if (next === undefined) return;
    connecting += 1;
    void connectTo({ path, guard }, next, (change) => count(next.actor, change)).finally(() => {
      connecting -= 1;
      connectNext();
    });
  };
  return {
    connect(app, process) {
      const actor = `${process}`;
      if ((unanswered.get(actor) ?? 0) >= MAX_UNANSWERED) return app.abort(LOOP);
      const next = { actor, app, until: performance.now() + CONNECT_MS };
      waiting.add(actor, next);
      if (waiting.size > MAX_WAITING) refuseNewest(waiting, next);
      connectNext();
    },
  };
}

/** Refuses the newest session of the process with the most of them. */
function refuseNewest(waiting: ItemsByActor<Waiting>, added: Waiting): void {
  const holder = waiting.largestHolder() ?? added.actor;
  const newest = holder === added.actor ? added : (waiting.newest(holder) ?? added);
  waiting.delete(newest.actor, newest);
  newest.app.abort(TOO_MANY);
}

/** Where sessions lead, and what refuses those of a loop. */
interface Target {
  readonly path: () => Promise<string>;
  readonly guard: LoopGuard | undefined;
}

async function connectTo(target: Target, next: Waiting, count: (change: 1 | -1) => void): Promise<void> {
  const socket = await connectedSocket(target, next);
  if (socket === undefined) return;
  count(1);
  const answered = (): void => {
    socket.off('data', answered).off('close', answered);
    count(-1);
  };
  socket.on('data', answered).on('close', answered);
  await answerOf(socket);
}

/** Connects an app; returns the bridge's socket, or undefined where the app was refused. */
async function connectedSocket(
  { path, guard }: Target,
  { app, until }: Waiting,
): Promise<Socket | undefined> {
  const refusal = guard?.refusal;
  if (refusal !== undefined) {
    app.abort(refusal);
    return undefined;
  }
  const late = new AbortController();
  const timer = setTimeout(
    () => late.abort(new Error(`it accepted no connection within ${CONNECT_MS / 1000} s`)),
    Math.max(0, until - performance.now()),
  ).unref();
  let where = 'The bridge';
  try {
    where = await path();
    const socket = await connectLocally(where, late.signal);
    // The other end may end one direction alone, which the default of `connect` does not allow.
    socket.allowHalfOpen = true;
    guard?.check(where);
    joinPeers(new SocketPeer(socket, 'bridge', (bytes) => guard?.received(bytes)), app);
    return socket;
  } catch (error) {
    app.abort(isLocalError(error) ? error.message : `${where} cannot be reached: ${systemErrorText(error)}.`);
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves when the bridge has answered or closed the connection, or has done neither for {@link ANSWER_MS}. */
function answerOf(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(done, ANSWER_MS);
    socket.once('data', done).once('close', done);
  });
}
