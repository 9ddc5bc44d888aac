import { parseExact, printExact } from '../../base/exact-json.ts';
import {
  type Attempt,
  type Client,
  type ClientError,
  createClient,
  type DispatchedEvent,
} from '../../client/index.ts';
import type { Io } from '../../daemon/io.ts';
import { type CliOptions, flag, textOption } from '../command.ts';
import { usage } from '../parse.ts';
import { asLocalError, candidates, hasChoice, silentLast, unreachable } from './endpoint.ts';
import { readTimeout, type TimeLimit, timeLimit } from './time-limit.ts';

/** First application of the built-in fixture; the emulator accepts any other id, too. */
const DEFAULT_CLIENT_ID = '300000000000000001';

/** Time limit for READY from an endpoint that did not answer a PING (ms). */
const SILENT_MS = 2000;

/** Endpoint, application and time limit: options of every command that connects as an app. */
export const appOptions = {
  'client-id': textOption('ID', `application to act as (default ${DEFAULT_CLIENT_ID})`, {
    completes: 'applications',
  }),
  endpoint: textOption('PATH', 'socket or pipe (default: the first that answers)'),
  'any-owner': flag('take a socket of another user too, who is then sent everything'),
  timeout: textOption(
    'S',
    'seconds until the answer, with all that comes before it (default 10 for each step; AUTHORIZE 130)',
  ),
} as const satisfies CliOptions;

/** Parsed `appOptions`. */
export interface AppFlags {
  readonly command: string;
  readonly clientId: string;
  readonly endpoint: string | undefined;
  readonly anyOwner: boolean;
  readonly limit: TimeLimit;
}

/** Parses `appOptions`. Throws `LocalError` FOOTBRIDGE_USAGE. */
export function readAppFlags(
  command: string,
  values: { readonly [N in keyof typeof appOptions]?: string | true | undefined },
): AppFlags {
  const { 'client-id': clientId = DEFAULT_CLIENT_ID, endpoint, timeout } = values;
  if (endpoint === '') throw usage('--endpoint: "" is not the path of a socket or pipe.', { name: command });
  if (!/^[1-9]\d{0,19}$/.test(String(clientId)))
    throw usage(`--client-id: ${JSON.stringify(clientId)} is not a decimal id.`, { name: command });
  return {
    command,
    clientId: String(clientId),
    endpoint: endpoint as string | undefined,
    anyOwner: values['any-owner'] === true,
    limit: timeLimit(readTimeout(timeout as string | undefined, command)),
  };
}

/** Connection of an app after its handshake. */
export interface AppConnection {
  readonly client: Client;
  /** The endpoint that answered. */
  readonly path: string;
  /** Every event from the first on. Beyond 1000 unread events the oldest are dropped. */
  readonly events: AsyncIterable<DispatchedEvent>;
  /** Error that ended the connection. */
  readonly ended: Promise<ClientError>;
}

/** Connects to the first endpoint that answers. Throws `LocalError`, or the abort reason of the limit. */
export async function connectApp(flags: AppFlags, io: Io): Promise<AppConnection> {
  const { clientId, anyOwner, endpoint, limit } = flags;
  const found = candidates(io, endpoint);
  const { paths } = found;
  const attempts: Attempt[] = [];
  limit.next(`READY from ${paths.length === 1 ? paths[0] : `${paths[0]} or an endpoint after it`}`);
  const tried = hasChoice(paths) ? await silentLast(paths) : paths.map((path) => ({ path, isSilent: false }));
  // The endpoints are tried one after the other, because a stored token is valid for one endpoint only.
  for (const [index, { path, isSilent }] of tried.entries()) {
    limit.signal.throwIfAborted();
    const client = createClient({
      clientId,
      paths: [path],
      anyOwner,
      json: { parse: parseExact, stringify: (value) => printExact(value) },
      reconnect: false,
      // The limit covers all attempts; a silent endpoint gets a shorter limit of its own, to leave time for the next
      // endpoint.
      connectTimeoutMs: isSilent && index < tried.length - 1 ? SILENT_MS : 0,
      requestTimeoutMs: 0,
      signal: limit.signal,
    });
    const ended = new Promise<ClientError>((resolve) => client.on('disconnected', resolve));
    const events = listening(client);
    try {
      await client.connect();
      return { client, path, events, ended };
    } catch (error) {
      void client.close();
      const failed = (error as Partial<ClientError> | undefined)?.attempts;
      // When the limit aborts, the client is closed and requests in flight fail: the limit's reason is the cause to
      // report.
      if (limit.signal.aborted) throw limit.signal.reason;
      if (failed === undefined) throw asLocalError(error);
      attempts.push(...failed);
    }
  }
  throw unreachable(attempts, found);
}

/** Starts to listen immediately, so that events before the first read are not lost. */
function listening(client: Client): AsyncIterable<DispatchedEvent> {
  const events = client[Symbol.asyncIterator]();
  const first = events.next();
  return {
    async *[Symbol.asyncIterator]() {
      for (let next = await first; !next.done; next = await events.next()) yield next.value;
    },
  };
}
