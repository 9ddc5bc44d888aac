import { Failure, NotApplicable } from '../failure.ts';
import { formatFrame, formatValue } from '../format.ts';
import { check, isRecord, isSame } from '../schema.ts';
import { includesProfile, OPCODES, type Profile } from '../tables.ts';
import { type App, errorCodeOf, formatReceived, parseBody, unexpected } from '../target/app.ts';
import { sleep } from '../target/launch.ts';
import type { Conversation, Outcome, ReplyOutcome, Step } from '../vectors/conversation.ts';
import { frameBytes } from '../wire/frame.ts';
import type { Received } from '../wire/inbox.ts';
import { ANY_TRANSPORT, IPC_ONLY, runningCase, type ServerCase } from './case.ts';
import type { Context } from './context.ts';

/**
 * Pauses between the writes of a cut frame (ms): CUT_MS is long enough for a reader to process each part, DRIP_MS is
 * the pause within a frame that is sent byte by byte.
 */
const CUT_MS = 25;
const DRIP_MS = 1;
const HEADER_BYTES = 8;

/** Case that runs a conversation. */
export function conversationCase(conversation: Conversation): ServerCase {
  const { id, title, judges: requirementIds, profile = 'presence' } = conversation;
  const transports = conversation.transports ?? (isPlain(conversation) ? ANY_TRANSPORT : IPC_ONLY);
  const declare = runningCase(conversation.alone === true ? 'alone' : 'together', { transports, profile });
  return declare(id, title, (context) => play(conversation, context), requirementIds);
}

/** Whether a conversation consists of complete FRAMEs after READY, which are the same over a WebSocket. */
function isPlain({ after, send, expect }: Conversation): boolean {
  const plain = (step: Step): boolean =>
    (step.opcode === OPCODES.FRAME && step.cut === undefined) || (step.together?.every(plain) ?? false);
  return (
    after === 'ready' && send.every((step) => plain(step) && step.cut === undefined) && expect.length > 0
  );
}

async function play(conversation: Conversation, context: Context): Promise<void> {
  const app = conversation.after === 'connect' ? await context.connect() : await open(conversation, context);
  for (const step of conversation.send) await perform(step, app, context);
  const matcher = new OutcomeMatcher(app, context, conversation.profile ?? 'presence');
  if (conversation.expect.length > 0) await matcher.follow(conversation.expect);
  if (conversation.alive === true) await context.alive();
}

/** Opens a session for a conversation; the session may set an activity if the conversation does. */
function open({ send }: Conversation, context: Context): Promise<App> {
  const sets = (step: Step): boolean =>
    step.body?.includes('SET_ACTIVITY') === true || (step.together?.some(sets) ?? false);
  return send.some(sets) ? context.local() : context.ready();
}

function bytesOf(step: Step, clientId: string): Buffer {
  if (step.together !== undefined) return Buffer.concat(step.together.map((part) => bytesOf(part, clientId)));
  if (step.hex !== undefined) return Buffer.from(step.hex, 'hex');
  return frameBytes(step.opcode ?? 0, (step.body ?? '').replaceAll('$CLIENT_ID', clientId));
}

async function perform(step: Step, app: App, context: Context): Promise<void> {
  const { connection } = app;
  if (step.pause !== undefined) {
    await sleep(step.pause);
  } else if (step.end === true) {
    connection.end();
  } else if (step.destroy === true) {
    connection.destroy();
  } else if (connection.transport === 'websocket') {
    for (const part of step.together ?? [step]) await connection.sendText(part.body ?? '');
  } else {
    const bytes = bytesOf(step, context.settings.clientId);
    const isDrip = step.cut === 'every byte';
    const cuts = isDrip ? bytes.keys() : (step.cut ?? []);
    let from = 0;
    for (const cut of [...cuts, bytes.byteLength]) {
      if (cut <= from) continue;
      await connection.write(bytes.subarray(from, cut));
      from = cut;
      // The pause is longer after the header and before the last byte, because a busy reader must not receive header
      // and body in one read.
      const isHeaderOrBodyEnd = !isDrip || from === HEADER_BYTES || from === bytes.byteLength - 1;
      if (from < bytes.byteLength) await sleep(isHeaderOrBodyEnd ? CUT_MS : DRIP_MS);
    }
  }
}

/** Compares received frames with the allowed sequences until one is complete. */
class OutcomeMatcher {
  readonly #app: App;
  readonly #context: Context;
  readonly #profile: Profile;

  constructor(app: App, context: Context, profile: Profile) {
    this.#app = app;
    this.#context = context;
    this.#profile = profile;
  }

  async follow(sequences: readonly (readonly Outcome[])[]): Promise<void> {
    const { timeouts } = this.#context.settings;
    let open = sequences.map((sequence) => sequence.flatMap(expand));
    let until = Date.now() + timeouts.answerMs;
    for (;;) {
      const resting = open.find((sequence) => sequence[0] === undefined || sequence[0].usable === true);
      const waiting = open.filter((sequence) => sequence[0] !== undefined && sequence[0].usable !== true);
      if (waiting.length === 0) {
        if (resting?.[0] !== undefined) await this.#app.usable();
        return;
      }
      const left = Math.max(1, until - Date.now());
      const received = await this.#app.next(resting === undefined ? left : Math.min(left, timeouts.quietMs));
      if (received.kind === 'silence' && resting !== undefined) {
        if (resting[0] !== undefined) await this.#app.usable();
        return;
      }
      const heads = waiting.map((sequence) => sequence[0] as Outcome);
      if (isBesidesThePoint(received, heads) && Date.now() < until) continue;
      this.#checkProfile(received);
      const matching = waiting.filter((sequence) => matches(sequence[0] as Outcome, received));
      if (matching.length === 0) this.#fail(heads, received);
      open = matching.map((sequence) => sequence.slice(1));
      until = Date.now() + timeouts.answerMs;
    }
  }

  #checkProfile(received: Received): void {
    if (includesProfile(this.#context.settings.profile, this.#profile)) return;
    if (received.kind !== 'frame' || received.opcode !== OPCODES.FRAME) return;
    const code = errorCodeOf(this.#app.parse(received, 'a message'));
    if (code === 4002)
      throw new NotApplicable(`the request is outside the profile "${this.#context.settings.profile}"`);
  }

  #fail(heads: readonly Outcome[], received: Received): never {
    const what = [...new Set(heads.map(describe))].join(', or ');
    const only = heads.length === 1 ? heads[0] : undefined;
    const violation = only === undefined ? undefined : shapeViolation(only, received);
    if (violation !== undefined) {
      throw new Failure(
        `${what} with ${violation.path || 'a value'}: ${violation.expected}`,
        formatReceived(received),
      );
    }
    if (heads.every((head) => head.end === true) && received.kind !== 'end') {
      throw new Failure(what, formatReceived(received), 'unclean');
    }
    throw unexpected(what, received);
  }
}

/** A CLOSE outcome consists of the frame and the end of the stream. */
function expand(outcome: Outcome): Outcome[] {
  return outcome.close === undefined ? [outcome] : [outcome, { end: true }];
}

/**
 * Whether a received item is an unexpected dispatch, which is skipped unless the conversation waits only for the end of
 * the connection.
 */
function isBesidesThePoint(received: Received, heads: readonly Outcome[]): boolean {
  if (received.kind !== 'frame' || received.opcode !== OPCODES.FRAME) return false;
  if (heads.every((head) => head.end === true)) return false;
  const value = parseBody(received.body);
  return isRecord(value) && isEvent(value) && value['evt'] !== 'READY';
}

function isEvent(message: Record<string, unknown>): boolean {
  return message['cmd'] === 'DISPATCH' && (message['nonce'] ?? null) === null;
}

function matches(outcome: Outcome, received: Received): boolean {
  if (outcome.end === true) return received.kind === 'end';
  if (received.kind !== 'frame') return false;
  const body = parseBody(received.body);
  if (outcome.close !== undefined) {
    if (received.opcode !== OPCODES.CLOSE) return false;
    const { code, message } = (body ?? {}) as { code?: unknown; message?: unknown };
    if (outcome.message !== undefined && message !== outcome.message) return false;
    return typeof code === 'number' && outcome.close.includes(code);
  }
  if (outcome.frame !== undefined) {
    if (received.opcode !== outcome.frame.opcode) return false;
    if (outcome.frame.body !== undefined && received.body.toString('utf8') !== outcome.frame.body)
      return false;
    return outcome.frame.shape === undefined || check(outcome.frame.shape, body) === undefined;
  }
  if (received.opcode !== OPCODES.FRAME || typeof body !== 'object' || body === null) return false;
  const message = body as Record<string, unknown>;
  if (outcome.ready === true) return message['cmd'] === 'DISPATCH' && message['evt'] === 'READY';
  if (outcome.reply === undefined || isEvent(message)) return false;
  return matchesReply(outcome.reply, message);
}

function matchesReply(reply: ReplyOutcome, message: Record<string, unknown>): boolean {
  // If the nonce could not be echoed, the answer may omit it.
  if (!isSame(reply.nonce, message['nonce'] ?? null)) return false;
  if (reply.message !== undefined) return check(reply.message, message) === undefined;
  if (reply.error !== undefined) {
    const data = message['data'] as { code?: unknown } | null | undefined;
    return message['evt'] === 'ERROR' && typeof data?.code === 'number' && reply.error.includes(data.code);
  }
  if (message['evt'] !== null && message['evt'] !== undefined) return false;
  return reply.data === undefined || check(reply.data, message['data']) === undefined;
}

function shapeViolation(outcome: Outcome, received: Received): ReturnType<typeof check> {
  if (received.kind !== 'frame' || outcome.reply === undefined) return undefined;
  const body = parseBody(received.body);
  if (typeof body !== 'object' || body === null) return undefined;
  const { message, data } = outcome.reply;
  if (message !== undefined) return check(message, body);
  const { evt, data: found } = body as { evt?: unknown; data?: unknown };
  return data !== undefined && evt !== 'ERROR' ? check(data, found) : undefined;
}

function describe(outcome: Outcome): string {
  if (outcome.ready === true) return 'FRAME(1) READY';
  if (outcome.end === true) return 'the end of the stream';
  if (outcome.close !== undefined) {
    const text = outcome.message === undefined ? '' : ` and message ${formatValue(outcome.message)}`;
    return `CLOSE(2) with code ${outcome.close.join(' or ')}${text}`;
  }
  if (outcome.frame !== undefined) {
    const { opcode, body } = outcome.frame;
    return body === undefined ? `a frame with opcode ${opcode}` : formatFrame(opcode, Buffer.from(body));
  }
  const { nonce, error } = outcome.reply ?? { nonce: null };
  const kind = error === undefined ? 'an answer' : `ERROR ${error.join(' or ')}`;
  return `${kind} with nonce ${formatValue(nonce, 40)}`;
}
