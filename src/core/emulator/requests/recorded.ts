import { plainText } from '../../../emulator/accounts/consent/display.ts';
import type { CommandRequest } from '../../../emulator/api/waiting-request.ts';
import type { Emulator } from '../../../emulator/compose/emulator.ts';
import type { Recorded, Refusal } from '../../../protocol/command.ts';
import { RpcError } from '../../../protocol/errors.ts';
import { isObject } from '../../../protocol/json.ts';
import { commands } from '../../../protocol/registry.ts';
import { ItemsByActor } from '../../../scheduling/items-by-actor.ts';
import type { CoreCall, CoreHandlers, Peer } from '../../core.ts';
import { entranceText } from '../../entrance-text.ts';

/**
 * Maximum of waiting requests, in all and per process; a request beyond it is declined at once, because users do not
 * read longer lists.
 */
const MAX_WAITING = 64;
const MAX_WAITING_PER_PROCESS = 8;

/** Handlers for every recorded command, which waits for the user, and for every command that is refused. */
export function recordedHandlers(emulator: Emulator, peer: Peer, applicationName: string): CoreHandlers {
  const handlers: Record<string, unknown> = {};
  for (const [cmd, { recorded, refusal }] of Object.entries(commands)) {
    if (refusal) handlers[cmd] = () => refuse(refusal);
    if (recorded)
      handlers[cmd] = (args: unknown, call: CoreCall) =>
        requestDecision(cmd, recorded as Recorded, args, call);
  }
  const requestDecision = async (
    cmd: string,
    recorded: Recorded,
    args: unknown,
    call: CoreCall,
  ): Promise<unknown> => {
    const draft = {
      kind: 'command',
      clientId: peer.clientId,
      applicationName: plainText(applicationName),
      cmd,
      what: recorded.what,
      details: detailsOf(args),
      pid: peer.credentials?.pid ?? null,
      ...(peer.entrance && { entrance: entranceText(peer.entrance) }),
    } as const;
    if (await isAllowed(emulator, draft, call.signal)) return recorded.accepted(args);
    return 'data' in recorded.declined ? recorded.declined.data : refuse(recorded.declined);
  };
  return handlers as CoreHandlers;
}

async function isAllowed(
  { oauth2, requests }: Emulator,
  draft: Omit<CommandRequest, 'id' | 'requestedAt' | 'expiresAt'>,
  signal: AbortSignal,
): Promise<boolean> {
  const policy = oauth2.policyFor(draft.clientId);
  if (policy !== 'ask') return policy === 'allow';
  if (signal.aborted || !hasRoom(requests, draft)) return false;
  const settlement = await requests.enqueue((ticket) => ({ ...draft, ...ticket }), signal);
  return settlement.outcome === 'allowed';
}

/** Whether another request may wait. At the limit, the process with the most requests loses its newest request. */
function hasRoom(requests: Emulator['requests'], draft: Requester): boolean {
  const waiting = new ItemsByActor<string>();
  for (const request of requests.list()) {
    if (request.kind === 'command') waiting.add(requesterOf(request), request.id);
  }
  const own = waiting.of(requesterOf(draft)).size;
  if (own >= MAX_WAITING_PER_PROCESS) return false;
  if (waiting.size < MAX_WAITING) return true;
  const largestList = [...waiting.of(waiting.largestHolder() ?? '')];
  const newest = largestList.at(-1);
  if (newest === undefined || largestList.length < own + 2) return false;
  requests.withdraw(newest, 'others ask, too');
  return true;
}

type Requester = Pick<CommandRequest, 'clientId' | 'pid' | 'entrance'>;

/**
 * Key of the requesting process; of its application where the process is unknown. All processes of a sandbox share the
 * key of its endpoint.
 */
function requesterOf({ clientId, pid, entrance }: Requester): string {
  if (entrance !== undefined) return entrance;
  return pid === null ? `client ${clientId}` : `process ${pid}`;
}

function refuse(refusal: Refusal): never {
  throw new RpcError(refusal.code, refusal.message);
}

const SECRET_KEY = /token|code|secret|state|fingerprint|query/i;

function detailsOf(args: unknown): string[] {
  if (!isObject(args)) return [];
  return Object.entries(args)
    .slice(0, 16)
    .map(([key, value]) => {
      if (SECRET_KEY.test(key)) return `${plainText(key)}: (not shown)`;
      return `${plainText(key)}: ${plainText(typeof value === 'string' ? value : JSON.stringify(value), 120)}`;
    });
}
