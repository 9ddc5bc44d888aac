import type { Journal } from '../../journal/journal.ts';
import type { SessionSummary } from '../../server/options.ts';
import { Opcode } from '../../wire/codes.ts';
import { refusal } from './refusal.ts';

/** Number of the first entries of a session, among which the HANDSHAKE is: only PING may come before it. */
const FIRST_ENTRIES = 8;

/**
 * Application of a session that is or was: from the server, or from the HANDSHAKE in the journal. Throws a refusal where it is
 * not known, and for a session of an endpoint with rights of its own, because a new session would have other rights.
 */
export function applicationOf(
  session: string,
  sessions: readonly Pick<SessionSummary, 'id' | 'clientId' | 'endpoint'>[],
  journal: Journal,
): string {
  const live = sessions.find(({ id }) => id === session);
  const { entries } = journal.read({ session, kinds: ['connect', 'frame'], limit: FIRST_ENTRIES });
  const isElsewhere =
    (live !== undefined && live.endpoint !== null) ||
    entries.some((entry) => entry.kind === 'connect' && entry.entrance !== undefined);
  if (isElsewhere)
    throw refusal(
      'ENDPOINT',
      'The app came through an endpoint with rights of its own, which a session by hand does not have.',
    );
  if (live?.clientId !== undefined && live.clientId !== null) return live.clientId;
  for (const entry of entries) {
    if (entry.kind !== 'frame' || entry.opcode !== Opcode.HANDSHAKE || entry.direction !== 'in') continue;
    const id = clientIdIn(entry.text);
    if (id !== undefined) return id;
  }
  throw refusal(
    'APPLICATION',
    'The session has ended, and its HANDSHAKE is not in the journal any longer, so its application is not known.',
  );
}

function clientIdIn(text: string): string | undefined {
  try {
    const id: unknown = Reflect.get(Object(JSON.parse(text)) as object, 'client_id');
    return typeof id === 'string' ? id : undefined;
  } catch {
    return undefined;
  }
}
