import type { Core } from './core.ts';
import { ClientStatus, ErrorType, RelationshipType } from './enums.ts';
import { Failed } from './outcome.ts';
import { numberOf, oneIn, text } from './raw.ts';
import { type Kind, LISTS, listOf } from './relationships.ts';
import { ValidationError } from './result.ts';

const { None, Friend, Blocked, PendingIncoming, PendingOutgoing, Implicit, Suggestion } = RelationshipType;

/**
 * Text of each relationship type, and the calls of the platform that apply to it. The names of the game's calls follow
 * the same pattern.
 */
const DESCRIPTIONS: Readonly<Record<RelationshipType, readonly [is: string, calls: string]>> = {
  [None]: ['nobody', 'SendDiscordFriendRequestById'],
  [Friend]: ['a friend', 'RemoveDiscordAndGameFriend'],
  [Blocked]: ['somebody blocked', 'UnblockUser'],
  [PendingIncoming]: [
    'somebody whose request waits for an answer',
    'AcceptDiscordFriendRequest or RejectDiscordFriendRequest',
  ],
  [PendingOutgoing]: ['somebody who was sent a request', 'CancelDiscordFriendRequest'],
  [Implicit]: ['somebody met before', 'SendDiscordFriendRequestById'],
  [Suggestion]: ['somebody suggested', 'SendDiscordFriendRequestById'],
};

/**
 * HTTP method of each call, the relationship type that the call requires, and the kinds of relationship it applies to.
 */
const ANSWERS = {
  AcceptDiscordFriendRequest: ['PUT', PendingIncoming, ['type']],
  AcceptGameFriendRequest: ['PUT', PendingIncoming, ['gameType']],
  RejectDiscordFriendRequest: ['DELETE', PendingIncoming, ['type']],
  RejectGameFriendRequest: ['DELETE', PendingIncoming, ['gameType']],
  CancelDiscordFriendRequest: ['DELETE', PendingOutgoing, ['type']],
  CancelGameFriendRequest: ['DELETE', PendingOutgoing, ['gameType']],
  RemoveGameFriend: ['DELETE', Friend, ['gameType']],
  RemoveDiscordAndGameFriend: ['DELETE', Friend, ['type', 'gameType']],
  UnblockUser: ['DELETE', Blocked, ['type']],
} as const satisfies Readonly<Record<string, readonly ['PUT' | 'DELETE', RelationshipType, readonly Kind[]]>>;

/** A call that requires an existing relationship. */
export type Answer = keyof typeof ANSWERS;

/**
 * Accepts or ends an existing relationship. The type is checked first, because the service deletes a relationship of
 * any type, and sends a new request when there is no request to accept. When the token may not read the list, the check
 * is left to the service. Throws ValidationError with the current type and the calls for it, or the error of the
 * service.
 */
export async function answer(core: Core, name: Answer, id: string): Promise<void> {
  const { service, token } = core;
  const [method, expected, kinds] = ANSWERS[name];
  const types = await Promise.all(
    kinds.map(async (kind) => ({ kind, type: await typeOf(core, id, kind, expected) })),
  );
  // The types may belong to the previous token's user.
  if (core.token !== token)
    throw new Failed(ErrorType.ClientNotReady, 'token: UpdateToken replaced it during this call; call again');
  const matching = types.filter(({ type }) => type === expected || type === undefined);
  if (matching.length === 0) {
    const is = types.map(({ kind, type }) => describeBond(kind, type));
    throw new ValidationError(`userId: must be ${DESCRIPTIONS[expected][0]}; ${is.join('; ')}`);
  }
  const body = method === 'PUT' ? {} : undefined;
  for (const { kind } of matching) await service.request(method, `${LISTS[kind]}/${id}`, body);
}

function describeBond(kind: Kind, type: number | undefined): string {
  const [is, calls] = DESCRIPTIONS[oneIn(RelationshipType, type) ?? None];
  if (kind === 'type') return `on the platform it is ${is}: ${calls} fits`;
  return `in this game it is ${is}: ${calls.replaceAll(/Discord(AndGame)?/g, 'Game')} fits`;
}

/**
 * Returns the relationship type. A matching type from the gateway is enough; otherwise the service is queried, because
 * an event may be on its way.
 */
async function typeOf(
  { player, service, status }: Core,
  id: string,
  kind: Kind,
  expected: RelationshipType,
): Promise<number | undefined> {
  const known = player.relationships.type(id, kind);
  if (known === expected && status === ClientStatus.Ready) return known;
  const list = await listOf(service, kind);
  if (list === 'refused') return known;
  if (!Array.isArray(list)) throw list;
  return numberOf(list.find((one) => text(one['id']) === id)?.['type']);
}
