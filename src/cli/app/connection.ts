import { parseExact, printExact } from '../../base/exact-json.ts';
import {
  type Attempt,
  type Client,
  type ClientError,
  createClient,
  type DispatchedEvent,
} from '../../client/index.ts';
import type { Io } from '../../daemon/io.ts';
import type { CliOptions } from '../command.ts';
import { usage } from '../parse.ts';
import { asLocalError, candidates, hasChoice, silentLast, unreachable } from './endpoint.ts';
import { readTimeout, type TimeLimit, timeLimit } from './time-limit.ts';

/** The first application of the built-in fixture; the emulator takes any other id as well. */
const DEFAULT_CLIENT_ID = '300000000000000001';

/** For READY from an endpoint that did not answer a PING (ms). */
const SILENT_MS = 2000;

/** Whom to talk to, as whom, and for how long: options of every command that connects as an app does. */
export const appOptions = {
  'client-id': {
    type: 'string',
    value: 'ID',
    completes: 'applications',
    help: `application to be (default ${DEFAULT_CLIENT_ID})`,
  },
  endpoint: { type: 'string', value: 'PATH', help: 'socket or pipe (default: the first that answers)' },
  'any-owner': { type: 'boolean', help: 'take a socket of another user too, who is then sent everything' },
  timeout: {
    type: 'string',
    value: 'S',
    help: 'seconds until the answer, with all that comes before it (default 10 for each step; AUTHORIZE 130)',
  },
} as const satisfies CliOptions;

/** The same, read. */
export interface AppFlags {
  readonly command: string;
  readonly clientId: string;
  readonly endpoint: string | undefined;
  readonly anyOwner: boolean;
  readonly limit: TimeLimit;
}

/** Throws `LocalError` FOOTBRIDGE_USAGE. */
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

/** An app that has shaken hands. */
export interface AppConnection {
  readonly client: Client;
  /** The endpoint that answered. */
  readonly path: string;
  /** Every event from the first on; of more than 1000 that wait to be read the oldest are lost. */
  readonly events: AsyncIterable<DispatchedEvent>;
  /** Why it ended, once it has. */
  readonly ended: Promise<ClientError>;
}

/** Shakes hands with the first endpoint that answers. Throws `LocalError`, or what the limit aborts with. */
export async function connectApp(flags: AppFlags, io: Io): Promise<AppConnection> {
  const { clientId, anyOwner, endpoint, limit } = flags;
  const paths = candidates(io, endpoint);
  const attempts: Attempt[] = [];
  limit.next(`READY from ${endpoint ?? `${paths[0]} or the nine above it`}`);
  const tried = hasChoice(paths) ? await silentLast(paths) : paths.map((path) => ({ path, isSilent: false }));
  // One by one: a token is kept for one endpoint and no other.
  for (const [index, { path, isSilent }] of tried.entries()) {
    limit.signal.throwIfAborted();
    const client = createClient({
      clientId,
      paths: [path],
      anyOwner,
      json: { parse: parseExact, stringify: (value) => printExact(value) },
      reconnect: false,
      // The limit is on all of it; one that may never answer leaves time for those behind it.
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
      // What is under way then fails because the client is closed, which is not why.
      if (limit.signal.aborted) throw limit.signal.reason;
      if (failed === undefined) throw asLocalError(error);
      attempts.push(...failed);
    }
  }
  throw unreachable(attempts);
}

/** Listens from now on, whenever it is read. */
function listening(client: Client): AsyncIterable<DispatchedEvent> {
  const events = client[Symbol.asyncIterator]();
  const first = events.next();
  return {
    async *[Symbol.asyncIterator]() {
      for (let next = await first; !next.done; next = await events.next()) yield next.value;
    },
  };
}
