import { randomUUID } from 'node:crypto';
import { parseExact, printExact } from '../../base/exact-json.ts';
import type { JournalEntry } from '../../journal/entry.ts';
import { NEVER_RESENT, neverByHand } from '../../journal/never-resent.ts';
import type { Original } from '../../journal/original.ts';
import { findCommand, findEvent } from '../../protocol/registry.ts';
import { allows, describeRule, LOCAL_SCOPE } from '../../protocol/scope.ts';
import { Opcode } from '../../wire/codes.ts';
import { checkNoPlaceholder } from './hidden.ts';
import { refusal } from './refusal.ts';
import type { ResendArgs } from './resend-args.ts';

const SUBSCRIPTIONS: ReadonlySet<unknown> = new Set(['SUBSCRIBE', 'UNSUBSCRIBE']);
/** Scopes of a session that has only sent its HANDSHAKE. */
const SCOPES: ReadonlySet<string> = new Set([LOCAL_SCOPE]);

/** Maximum size of a request (bytes), of which the journal still has the text. */
const MAX_REQUEST_BYTES = 64 * 1024;

/** The request of a frame, as it was or edited, with a nonce of its own. Throws a refusal. */
export function requestOf(
  { direction, opcode, text }: Extract<JournalEntry, { readonly kind: 'frame' }>,
  original: Original | undefined,
  { command, args, event }: ResendArgs,
): string {
  if (direction === 'out')
    throw refusal('KIND', 'The bridge sent this frame itself. Send the request again that it answers.');
  if (opcode !== Opcode.FRAME) throw refusal('SESSION', NEVER_RESENT.opcode);
  const sent = original?.kind === 'frame' ? original.body : undefined;
  if (sent === undefined)
    throw refusal('CUT', 'The frame was too large for the journal, which has only its length.');
  const sentText = Buffer.from(sent).toString('utf8');
  const before = payloadIn(sentText);
  const isEdited = command !== undefined || args !== undefined || event !== undefined;
  if (isEdited) checkNoPlaceholder(args, text, sentText);
  const cmd = command ?? before?.['cmd'];
  if (typeof cmd !== 'string') throw refusal('CUT', 'The frame is no request. Edit it, and name a command.');
  const evt = event ?? (cmd === before?.['cmd'] ? before?.['evt'] : undefined);
  checkRights(cmd, evt);
  const nonce = randomUUID();
  if (!isEdited) return printed(() => printExact({ ...before, nonce }));
  // Other arguments may not be of this command, which may show what the journal hides of the former.
  const request = printed(() =>
    JSON.stringify({ cmd, args: args ?? {}, nonce, ...(evt === undefined ? {} : { evt }) }),
  );
  if (Buffer.byteLength(request) > MAX_REQUEST_BYTES)
    throw refusal('EDIT', `args: a frame may have at most ${MAX_REQUEST_BYTES} bytes.`);
  return request;
}

/** JSON of a request; a value that is nested deeper than the stack allows is refused. */
function printed(print: () => string): string {
  try {
    return print();
  } catch (error) {
    throw refusal('EDIT', 'args: are nested too deeply.', error);
  }
}

function checkRights(cmd: string, evt: unknown): void {
  const never = neverByHand(cmd);
  if (never !== undefined) throw refusal('SESSION', never);
  const isSubscription = SUBSCRIPTIONS.has(cmd);
  const rule = (isSubscription && typeof evt === 'string' ? findEvent(evt) : findCommand(cmd))?.scope;
  if (rule === undefined || allows(rule, SCOPES)) return;
  const name = isSubscription ? `${cmd} ${String(evt)}` : cmd;
  throw refusal(
    'SESSION',
    `${name} needs ${describeRule(rule)}, which a session by hand does not have: it never authorizes. “footbridge call” with --scopes sends it as an app that does.`,
  );
}

function payloadIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = parseExact(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
