import * as z from 'zod';
import type { OperatingSystem } from '../../platform/operating-system.ts';
import { ancestorsOf } from '../../platform/process/program.ts';
import { adminOperationsFor } from '../base/admin-operation.ts';
import type { ConsoleBackend } from '../console/backend.ts';
import type { Console } from '../console/console.ts';
import { answer, type ControlSource, callOperation } from '../control/routes.ts';

/** Functions that the bridge's own console needs from other parts of the program. */
export interface ConsoleParts {
  /** The report of `footbridge doctor --json`. */
  readonly doctor: () => Promise<unknown>;
  /** The report of `footbridge bugreport`. */
  readonly bugreport: ConsoleBackend['bugreport'];
}

/** The console that a bridge serves itself. */
export interface OwnConsole {
  /** Creates an address that opens the console once, for the requesting process `pid`. */
  address(pid: number | undefined): Promise<string>;
  close(): void;
}

const operation = adminOperationsFor<{ readonly console: OwnConsole }>();

/** Operations of the console. */
export const consoleOperations = [
  operation({
    name: 'console.address',
    summary: 'An address that opens the console in a browser once, within ten minutes',
    args: () => z.object({}),
    result: () => z.object({ url: z.string() }),
    run: async ({ console }, _args, { pid }) => ({ url: await console.address(pid) }),
  }),
] as const;

/**
 * Serves the console from the first request for its address; before that request, the console is not loaded and does
 * not listen. A requester over the control socket is this user, and receives an address that opens the console once.
 */
export function ownConsole(
  parts: ConsoleParts,
  { uid, native }: Pick<OperatingSystem, 'uid' | 'native'>,
  source: () => ControlSource,
): OwnConsole {
  let served: Promise<Console> | undefined;
  const serve = async (): Promise<Console> => {
    const { serveConsole } = await import('../console/console.ts');
    return serveConsole(backendOf(parts, source), { uid, native });
  };
  return {
    async address(pid) {
      // The ancestors are looked up at once, because the requesting process ends when it has its answer.
      const callers = pid === undefined ? [] : [pid, ...ancestorsOf(pid)];
      served ??= serve();
      try {
        return (await served).address(callers);
      } catch (error) {
        // The console is served anew at the next request, which may find a free port.
        served = undefined;
        throw error;
      }
    },
    // A console that failed to start needs no close.
    close: () => void served?.then((console) => console.close()).catch(() => {}),
  };
}

/** This bridge, for a console that it serves itself. */
export function backendOf({ doctor, bugreport }: ConsoleParts, source: () => ControlSource): ConsoleBackend {
  const get = (path: string): Promise<unknown> =>
    answer(source(), { method: 'GET', path, body: new Uint8Array(), caller: { via: 'control' } });
  return {
    status: async () => source().status(),
    operations: () => get('/v1/operations') as ReturnType<ConsoleBackend['operations']>,
    operation: (name) => get(`/v1/operations/${name}`) as ReturnType<ConsoleBackend['operation']>,
    call: (name, args, forProcesses) => callOperation(source(), name, args, { via: 'control', forProcesses }),
    doctor,
    bugreport,
  };
}
