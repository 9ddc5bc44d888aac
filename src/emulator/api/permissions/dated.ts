import { bitsOf, type Permission } from '../../kernel/permission-bits.ts';

/** The day on which pins, slowmode, expressions and events became rights of their own (change-log of 2025-11-24). */
const SPLIT = Date.parse('2026-02-23T00:00:00Z');

/** Whom and when a right is asked of; `now` in milliseconds. */
export interface Asking {
  readonly now: number;
  readonly isBot: boolean;
}

/** The rights that opened the same until that day, and for whom. */
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

/** Whether some bits, as {@link inChannel} gives them, let somebody do what a right stands for, at that time. */
export function grants(bits: bigint, right: Permission, { now, isBot }: Asking): boolean {
  if ((bits & bitsOf(right)) !== 0n) return true;
  // Slowmode never was for bots.
  if (right === 'BYPASS_SLOWMODE' && isBot) return true;
  const before = BEFORE[right];
  if (before === undefined || now >= SPLIT) return false;
  if (before.of !== 'all' && (before.of === 'bots') !== isBot) return false;
  return before.by.some((name) => (bits & bitsOf(name)) !== 0n);
}
