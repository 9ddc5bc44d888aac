import { Failure } from '../failure.ts';
import type { Settings } from '../settings.ts';
import { ConnectError, type Connection } from '../wire/connection.ts';
import { connectIpc } from '../wire/ipc.ts';
import { connectWebSocket } from '../wire/websocket.ts';

/** Identification that an app sends; `null` omits a part. Over IPC it is sent only in the handshake. */
export interface Introduction {
  readonly clientId?: string | null;
  readonly v?: string | null;
  readonly encoding?: string | null;
  readonly origin?: string | null;
}

/** Server under test. */
export interface Target {
  readonly transport: 'ipc' | 'websocket';
  /** Address for reports. */
  readonly name: string;
  /** Process id, if the suite started the server. */
  readonly pid: number | undefined;
  /** Token endpoint from the options, or the one that the target announced. */
  readonly tokenEndpoint: string | undefined;
  /** Opens a connection. Throws {@link Failure} of kind `absent` when nothing listens. */
  connect(introduction?: Introduction): Promise<Connection>;
}

/** Server at an endpoint: a path, a pipe, or a `ws://` address. */
export function endpointTarget(
  endpoint: string,
  settings: Settings,
  started: { readonly pid?: number | undefined; readonly api?: string | undefined } = {},
): Target {
  const tokenEndpoint =
    settings.tokenEndpoint ?? (started.api === undefined ? undefined : `${started.api}/oauth2/token`);
  const facts = { name: endpoint, pid: started.pid, tokenEndpoint };
  if (/^wss?:/.test(endpoint)) {
    return {
      ...facts,
      transport: 'websocket',
      connect: (introduction = {}) => {
        const origin =
          introduction.origin === undefined ? settings.origin : (introduction.origin ?? undefined);
        const url = addressOf(endpoint, settings, introduction);
        return orUnavailable(connectWebSocket(url, origin, settings.timeouts.answerMs, settings.tracer));
      },
    };
  }
  return {
    ...facts,
    transport: 'ipc',
    connect: () => orUnavailable(connectIpc(endpoint, settings.timeouts.answerMs, settings.tracer)),
  };
}

function addressOf(endpoint: string, settings: Settings, introduction: Introduction): URL {
  const url = new URL(endpoint);
  const set = (key: string, value: string | null) => {
    if (value !== null) url.searchParams.set(key, value);
  };
  set('v', introduction.v === undefined ? '1' : introduction.v);
  set('client_id', introduction.clientId === undefined ? settings.clientId : introduction.clientId);
  set('encoding', introduction.encoding === undefined ? 'json' : introduction.encoding);
  return url;
}

async function orUnavailable(connecting: Promise<Connection>): Promise<Connection> {
  try {
    return await connecting;
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    throw new Failure('the target to accept a connection', error.message, 'absent');
  }
}
