import type { Recovery } from '../../src/emulator/kernel/state/event-queue.ts';

/** Of a listener that has nothing to put right. */
export const justListening: Recovery = { name: 'a test', recover: () => {} };
