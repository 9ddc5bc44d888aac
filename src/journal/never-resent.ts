import { Opcode } from '../wire/codes.ts';
import type { JournalEntry } from './entry.ts';
import { CALLBACK } from './exchange-facts.ts';

/** Commands that give a session its rights: with a token, or with the consent of the user, which the app itself requests. */
const RIGHTS: ReadonlySet<string> = new Set(['AUTHORIZE', 'AUTHENTICATE']);

/** Why entries of a kind are never sent again. */
export const NEVER_RESENT = {
  opcode: 'A HANDSHAKE, a PING or a CLOSE belongs to the session that sent it.',
  gateway: 'A payload of the gateway belongs to the session of its bot, which only the bot itself has.',
  once: 'A PING and an interaction are sent once. Use the command or the button again instead.',
} as const;

/** Reason why a command cannot be sent by hand; undefined for any other command. */
export function neverByHand(command: string): string | undefined {
  return RIGHTS.has(command)
    ? `${command} gives rights to the session that sends it, so only the app itself can send it.`
    : undefined;
}

/** Reason why an entry cannot be sent again by any bridge; undefined where it may be. `name` is that of its row. */
export function neverResent(entry: JournalEntry, name: string): string | undefined {
  switch (entry.kind) {
    case 'frame':
      return entry.opcode === Opcode.FRAME ? neverByHand(name) : NEVER_RESENT.opcode;
    case 'gateway':
      return NEVER_RESENT.gateway;
    case 'webhook':
      return entry.delivery === undefined ? NEVER_RESENT.once : undefined;
    case 'http':
      return CALLBACK.test(name)
        ? 'An interaction is answered once. Use the command or the button again instead.'
        : undefined;
    default:
      return undefined;
  }
}
