import { join } from 'node:path';
import type { Command, Ran, ServiceContext, ServiceDefinition } from '../../../service/manager.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';

/** A user's machine in one folder, whose programs are stand-ins. */
export interface Bench<S extends object> {
  readonly folder: string;
  readonly context: ServiceContext;
  /** What the stand-ins know now. */
  readonly state: () => S & { readonly calls: readonly string[] };
  readonly change: (values: Partial<S>) => void;
}

/**
 * A machine on which `answer` stands for every program, in this process: to start one for each call takes longer than all
 * that these tests look at. What really runs one is `programRunner`, with tests of its own. `answer` may change the state.
 */
export function serviceBench<S extends object>(
  answer: (state: S, command: Command) => Ran,
  initial: S,
  more: Partial<ServiceContext> = {},
): Bench<S> {
  const folder = temporaryFolder();
  const state: S & { calls: string[] } = { ...structuredClone(initial), calls: [] };
  return {
    folder,
    context: {
      env: { USERDOMAIN: 'PC', SystemRoot: 'C:\\Windows' },
      home: folder,
      uid: 501,
      user: 'some body',
      stateFolder: join(folder, 'own'),
      run: async (command) => {
        state.calls.push(command.join(' '));
        return answer(state, command);
      },
      ...more,
    },
    state: () => structuredClone(state),
    change: (values) => Object.assign(state, values),
  };
}

/** What a program that ended with `code` wrote: after a success to its output, else to its errors. */
export function ended(code: number, text = ''): Ran {
  return code === 0 ? { code, stdout: text, stderr: '' } : { code, stdout: '', stderr: `${text}\n` };
}

/** Something to install; `folder` is where its log would go. */
export function definition(folder: string, core = 'upstream'): ServiceDefinition {
  return {
    argv: ['/opt/node dir/node', '/opt/fb & <co>/footbridge.js', 'run', '--service', '--core', core],
    env: { XDG_CONFIG_HOME: '/home/"x"/conf' },
    core,
    flags: {},
    version: '0.1.0',
    native: true,
    logFolder: join(folder, 'logs'),
  };
}

export const started = { start: true, linger: false, socket: false, force: false } as const;
