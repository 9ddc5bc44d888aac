// A stand-in for launchctl(1): a small state machine with the exit codes of the real one.
import { existsSync, readFileSync } from 'node:fs';
import type { Command, Ran } from '../../../service/manager.ts';
import { ended } from './bench.ts';

/** What launchd knows of the agent. */
export interface LaunchdState {
  session: boolean;
  loaded: boolean;
  disabled: boolean;
  running: boolean;
  pid: number;
  runs: number;
  exit: number | null;
  /** How many bootstraps fail with 5 for no reason that can be seen. */
  eio: number;
  /** How many looks a bootout takes to be done. */
  slow: number;
  lingers: number;
  lame: boolean;
}

const TARGET = 'gui/501/footbridge';

/** Answers one call as launchctl does, and changes what launchd knows. */
export function launchctl(state: LaunchdState, [program, verb, target = '', file = '']: Command): Ran {
  if (program !== 'launchctl') return ended(127, 'not found');
  if (!state.session) return ended(125, 'Domain does not support specified action');
  switch (verb) {
    case 'print':
      return print(state, target);
    case 'enable':
      state.disabled = false;
      return ended(target === TARGET ? 0 : 113);
    case 'bootstrap':
      return bootstrap(state, file);
    case 'bootout':
      if (!state.loaded) return ended(3, 'Boot-out failed: 3: No such process');
      state.loaded = false;
      state.running = false;
      state.lingers = state.slow;
      return ended(0);
    case 'kickstart':
      if (!state.loaded) return ended(113, 'Could not find service');
      if (!state.running) start(state);
      return ended(0);
    default:
      return ended(64, `Unrecognized subcommand: ${verb}`);
  }
}

function start(state: LaunchdState): void {
  state.running = true;
  state.pid += 1;
  state.runs += 1;
}

function bootstrap(state: LaunchdState, file: string): Ran {
  const refused = state.lingers > 0 || state.loaded || state.disabled || !existsSync(file);
  if (refused || state.eio > 0) {
    if (!refused) state.eio -= 1;
    return ended(5, 'Bootstrap failed: 5: Input/output error');
  }
  state.loaded = true;
  state.runs = 0;
  state.exit = null;
  const runsAtLoad = readFileSync(file, 'utf8').includes('<key>RunAtLoad</key>\n    <true/>');
  if (runsAtLoad && !state.lame) start(state);
  return ended(0);
}

function print(state: LaunchdState, target: string): Ran {
  if (target === 'gui/501') return ended(0);
  if (target !== TARGET) return ended(113, 'Could not find service');
  // For a while after a bootout the service is still listed.
  if (!state.loaded && state.lingers > 0) state.lingers -= 1;
  else if (!state.loaded) return ended(113, 'Could not find service "footbridge" in domain for login');
  const lines = [
    'gui/501/footbridge = {',
    '\tactive count = 1',
    '\tpath = /Users/somebody/Library/LaunchAgents/footbridge.plist',
    `\tstate = ${state.running ? 'running' : state.exit === null ? 'spawn scheduled' : 'not running'}`,
    '',
    '\tenvironment = {',
    '\t\tstate = nonsense',
    '\t\tpid = 1',
    '\t}',
    `\truns = ${state.runs}`,
    ...(state.running ? [`\tpid = ${state.pid}`] : []),
    `\tlast exit code = ${state.exit ?? '(never exited)'}`,
    '}',
    '',
  ];
  return ended(0, lines.join('\n'));
}
