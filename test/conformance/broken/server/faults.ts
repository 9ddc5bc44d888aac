import type { Fault } from './fault.ts';
import { commandFaults } from './faults-commands.ts';
import { wireFaults } from './faults-wire.ts';

/** Every broken server, by name. */
export const faults: Readonly<Record<string, Fault>> = { ...wireFaults, ...commandFaults };
