import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import type { JournalEntry } from '../../journal/entry.ts';
import type { Journal } from '../../journal/journal.ts';
import { BY_HAND_HEADER, type Original } from '../../journal/original.ts';
import { HIDDEN } from '../../journal/secret-names.ts';
import type { PlatformAccess } from '../core-options.ts';
import { checkNoPlaceholder, checkNoPlaceholderInPath } from './hidden.ts';
import { refusal } from './refusal.ts';
import type { ResendArgs } from './resend-args.ts';

/** Maximum duration of a request (ms). */
const MAX_REQUEST_MS = 30_000;
/** Maximum length of a body that the journal shows (characters). */
const MAX_SHOWN_CHARACTERS = 64 * 1024;

type HttpOriginal = Extract<Original, { readonly kind: 'http' }>;

interface Sending {
  readonly journal: Journal;
  readonly platform: PlatformAccess;
  /** Base address of the emulator's API. */
  readonly api: string;
  readonly entry: Extract<JournalEntry, { readonly kind: 'http' }>;
  readonly original: HttpOriginal;
  readonly args: ResendArgs;
}

/** A request that may be sent. */
interface PreparedRequest {
  /** The application whose credentials it has; null without credentials. */
  readonly application: string | null;
  /** Sends it; `recorded` is called with the number of the new entry. Resolves once it is answered. */
  send(recorded: (seq: number) => void): Promise<void>;
}

interface Credentials {
  readonly application: string | null;
  readonly authorization?: string;
}

/** Prepares a request to the emulator, as it was or edited. Throws a refusal. */
export async function prepareRequest(sending: Sending): Promise<PreparedRequest> {
  const { journal, api, args, original } = sending;
  const { application, authorization } = await credentialsFor(sending);
  const target = { method: args.method ?? original.method, path: pathOf(sending), body: bodyOf(sending) };
  return {
    application,
    async send(recorded) {
      const key = randomUUID();
      const forget = journal.byHand.expect(key, recorded);
      const credentials = authorization === undefined ? {} : { authorization };
      try {
        await exchange(api, target, { [BY_HAND_HEADER]: key, ...credentials });
      } finally {
        forget();
      }
    },
  };
}

/** The emulator's own credentials of the bot that sent the request; none for a request that needs none. */
async function credentialsFor(sending: Sending): Promise<Credentials> {
  const { platform, original } = sending;
  const { access, authorization } = original;
  if (access === 'person')
    throw refusal('SESSION', 'The request belongs to a page of the emulator, where a person decides.');
  if (access === 'client')
    throw refusal(
      'TOKEN',
      'The request needs the secret of its application, which is the application’s own.',
    );
  const caller = authorization === undefined ? undefined : await platform.callerOf(authorization);
  if (caller?.kind === 'user')
    throw refusal('TOKEN', 'The request was made with the token of a user, which is the app’s own.');
  if (caller?.kind === 'bot') return { application: caller.application, authorization: caller.authorization };
  if (access === 'caller' || (access === 'unknown' && authorization !== undefined))
    throw refusal(
      'TOKEN',
      'The request had no credentials that are valid now, so it is not known which bot could send it.',
    );
  checkTokenless(sending);
  return { application: null };
}

/** Throws for a request without credentials that has a token or a secret in its path or body: that of a webhook, or a code. */
function checkTokenless({ entry, args }: Sending): void {
  const path = args.path ?? entry.path;
  const body = args.body ?? entry.request.body ?? '';
  if (path.includes(HIDDEN) || body.includes(`"${HIDDEN}"`))
    throw refusal(
      'TOKEN',
      'The request has a token or a secret in its path or body, which is the app’s own.',
    );
}

function pathOf({ entry, original, args }: Sending): string {
  // What the journal hides of a path stays what it was.
  if (args.path === undefined || args.path === entry.path) return original.url;
  checkNoPlaceholderInPath(args.path);
  return args.path;
}

function bodyOf({ entry, original, args }: Sending): string | undefined {
  if (args.body !== undefined) {
    if (args.body.trim() === '') return undefined;
    let value: unknown;
    try {
      value = JSON.parse(args.body);
    } catch (error) {
      throw refusal('EDIT', 'body: must be JSON, or empty for a request without a body.', error);
    }
    checkNoPlaceholder(value, entry.request.body ?? '', original.body ?? '');
    return args.body;
  }
  if (original.files > 0) throw refusal('CUT', 'The request had files, which the journal does not store.');
  if ((original.body?.length ?? 0) > MAX_SHOWN_CHARACTERS)
    throw refusal('CUT', 'The body was too large for the journal, which shows only its length.');
  return original.body;
}

/** Makes the request and discards the answer, which the journal shows. */
function exchange(
  api: string,
  {
    method,
    path,
    body,
  }: { readonly method: string; readonly path: string; readonly body: string | undefined },
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const { hostname, port } = new URL(api);
  const content =
    body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      {
        hostname,
        port,
        method,
        path,
        agent: false,
        signal: AbortSignal.timeout(MAX_REQUEST_MS),
        headers: { ...content, ...headers, 'user-agent': 'Footbridge (sent by hand)' },
      },
      (response) => {
        response.resume();
        response.once('end', resolve);
        response.once('error', reject);
      },
    );
    sent.once('error', (error) =>
      reject(refusal('REFUSED', 'The emulator did not answer the request.', error)),
    );
    sent.end(body);
  });
}
