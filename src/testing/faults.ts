import { requireKnown } from './options.ts';

/**
 * Requests to which a fault applies, and how often. Without command, route, webhook and gateway the fault applies to
 * all RPC commands.
 */
export interface FaultTarget {
  /** Name of an RPC command such as `GET_GUILDS`; `HANDSHAKE` stands for READY, `DISPATCH` for events. */
  readonly command?: string;
  /** Route such as `GET /users/{id}`; `*` stands for all routes. */
  readonly route?: string;
  readonly webhook?: boolean;
  readonly gateway?: boolean;
  /** Id of an application. */
  readonly application?: string;
  readonly count?: number;
  /** Above 0 and at most 1. */
  readonly probability?: number;
  readonly seed?: number;
}

/** A fault that is in. */
export interface TestFault {
  readonly id: string;
  readonly fault: string;
  readonly where: string;
  readonly struck: number;
  readonly left: number | null;
}

/** Injected faults, in the syntax of `footbridge emulator fault`. */
export interface TestFaults {
  /**
   * Adds a fault: `delay=200`, `drop`, `error=5000`, `close=4002`, `split`, `coalesce`, `slow=1000`, `status=429` or
   * `reconnect`. Throws FOOTBRIDGE_FAULT, which lists the valid faults, or FOOTBRIDGE_ARGUMENTS for an unknown name in `where`.
   */
  add(fault: string, where?: FaultTarget): Promise<TestFault>;
  list(): Promise<readonly TestFault[]>;
  remove(id: string): Promise<void>;
  clear(): Promise<void>;
}

const TARGET: Readonly<Record<keyof FaultTarget, true>> = {
  command: true,
  route: true,
  webhook: true,
  gateway: true,
  application: true,
  count: true,
  probability: true,
  seed: true,
};

type CallOperation = (operation: string, args?: object) => Promise<unknown>;

/** Creates the API for faults on top of the bridge's operations. */
export function testFaults(callOperation: CallOperation): TestFaults {
  return {
    add: async (fault, where = {}) => {
      // Without the misspelled name the fault would apply to everything.
      requireKnown('faults.add', where, Object.keys(TARGET));
      return (await callOperation('fault.add', { ...where, fault })) as TestFault;
    },
    list: async () => (await callOperation('fault.list')) as readonly TestFault[],
    remove: async (id) => void (await callOperation('fault.remove', { id })),
    clear: async () => void (await callOperation('fault.remove', {})),
  };
}
