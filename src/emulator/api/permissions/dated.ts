import { bitsOf, type Permission } from '../../kernel/permission-bits.ts';

/** Day from which pins, slowmode, expressions and events have separate permissions (change-log of 2025-11-24). */
const SPLIT = Date.parse('2026-02-23T00:00:00Z');

/** The subject and time of a permission check; `now` in milliseconds. */
export interface GrantContext {
  readonly now: number;
  readonly isBot: boolean;
}

/**
 * For each separate permission: the permissions that included it before {@link SPLIT}, and the users to whom that
 * applied.
 */
const BEFORE: {
  readonly [Name in Permission]?: {
    readonly by: readonly Permission[];
    readonly of: 'all' | 'bots' | 'persons';
  };
} = {
  PIN_MESSAGES: { by: ['MANAGE_MESSAGES'], of: 'all' },
  BYPASS_SLOWMODE: { by: ['MANAGE_MESSAGES', 'MANAGE_CHANNELS'], of: 'persons' },
  CREATE_GUILD_EXPRESSIONS: { by: ['MANAGE_GUILD_EXPRESSIONS'], of: 'bots' },
  CREATE_EVENTS: { by: ['MANAGE_EVENTS'], of: 'bots' },
};

/** Whether the bits of {@link inChannel} grant a permission at the time `now`. */
export function grants(bits: bigint, right: Permission, { now, isBot }: GrantContext): boolean {
  if ((bits & bitsOf(right)) !== 0n) return true;
  // Slowmode never applied to bots.
  if (right === 'BYPASS_SLOWMODE' && isBot) return true;
  const before = BEFORE[right];
  if (before === undefined || now >= SPLIT) return false;
  if (before.of !== 'all' && (before.of === 'bots') !== isBot) return false;
  return before.by.some((name) => (bits & bitsOf(name)) !== 0n);
}
