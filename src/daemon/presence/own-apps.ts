import { LocalError, messageOf } from '../../base/local-error.ts';
import type { ClientCore, CoreSession, Peer } from '../../core/core.ts';
import { ownCall, requestActivity } from '../../core/presence/activity-request.ts';
import { checkArgs } from '../../protocol/check-shapes.ts';
import { SET_ACTIVITY } from '../../protocol/commands/activity.ts';
import { isCloseError } from '../../wire/close-error.ts';
import type { PeerCredentials } from '../../wire/connection.ts';

/** An app of the bridge itself, which shows a presence of the operator's or of a game that runs. */
export interface OwnApp {
  close(): void;
}

/** Identity of such an app. */
interface OwnPeer {
  readonly sessionId: string;
  readonly clientId: string;
  /** Process of a detected game. */
  readonly game?: PeerCredentials | undefined;
}

/**
 * Connects to the core as an app does, and shows an activity. Rejects with `LocalError` FOOTBRIDGE_PRESENCE where the
 * core refuses.
 */
export async function showActivity(
  core: ClientCore,
  { sessionId, clientId, game }: OwnPeer,
  activity: Readonly<Record<string, unknown>>,
): Promise<OwnApp> {
  const left = new AbortController();
  const args = { pid: game?.pid ?? process.pid, activity };
  const call = ownCall(left.signal, args);
  let session: CoreSession | undefined;
  try {
    checkArgs(SET_ACTIVITY.args(), args);
    const peer: Peer = {
      sessionId,
      clientId,
      transport: 'memory',
      signal: left.signal,
      ...(game && { credentials: game, detected: true }),
    };
    session = await core.open(peer);
    if (session.relay === undefined && session.handlers.SET_ACTIVITY === undefined)
      throw new Error('this core shows no activities');
    await requestActivity(session, args, undefined, call);
  } catch (error) {
    left.abort();
    session?.close();
    throw refused(clientId, error);
  }
  const one = session;
  return {
    close() {
      left.abort();
      one.close();
    },
  };
}

function refused(clientId: string, cause: unknown): LocalError {
  const reason = messageOf(cause).replace(/^args\.?/, '');
  const remedy =
    isCloseError(cause) && cause.message === 'Invalid Client ID'
      ? ' Give the id of an application that the client knows.'
      : '';
  return new LocalError(
    'FOOTBRIDGE_PRESENCE',
    `The presence of ${clientId} is not shown: ${reason}.${remedy}`,
    { cause },
  );
}
