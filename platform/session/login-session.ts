import { execFile } from 'node:child_process';
import type { Environment, OsName } from '../endpoint/endpoints.ts';
import { systemProgram } from '../process/system-program.ts';

/** Idle state of the user's login session. */
export interface SessionState {
  /** Time since when the session is idle (ms since the Unix epoch); null while the user is active. */
  readonly idleSince: number | null;
  readonly isLocked: boolean;
}

/** Source of the idle state of the user's login session. */
export type LoginSession =
  | {
      readonly kind: 'supported';
      /** Reads the state. Rejects with the reason and the remedy in one line. */
      current(): Promise<SessionState>;
    }
  | { readonly kind: 'unsupported'; readonly reason: string };

const LOGIND = 'org.freedesktop.login1';
/**
 * Properties of logind's session. `auto` is the session of this process, and for a service of the user the session with
 * the display (org.freedesktop.login1(5)).
 */
const PROPERTIES = ['IdleHint', 'IdleSinceHint', 'LockedHint'];
const BUSCTL = ['--system', '--json=short', '--timeout=2', 'get-property'];
const OF_SESSION = [LOGIND, '/org/freedesktop/login1/session/auto', `${LOGIND}.Session`, ...PROPERTIES];
const TIMEOUT_MS = 3000;

/** Finds how this system reports that the user is idle: logind on Linux, the time of the last input on macOS. */
export function loginSession(os: OsName, env: Environment): LoginSession {
  if (os === 'linux') {
    const remedy =
      'Start the bridge in a session of logind with busctl of systemd, or remove presence_away from the configuration';
    const current = async (): Promise<SessionState> => {
      const state = logindState(await printedBy('busctl', [...BUSCTL, ...OF_SESSION], env, remedy));
      if (state === undefined) throw new Error(`logind gave no valid answer. ${remedy}.`);
      return state;
    };
    return { kind: 'supported', current };
  }
  if (os === 'darwin') {
    const remedy = 'Remove presence_away from the configuration';
    const current = async (): Promise<SessionState> => {
      const state = inputState(
        await printedBy('ioreg', ['-c', 'IOHIDSystem', '-d', '4'], env, remedy),
        Date.now(),
      );
      if (state === undefined) throw new Error(`ioreg reports no HIDIdleTime. ${remedy}.`);
      return state;
    };
    return { kind: 'supported', current };
  }
  return { kind: 'unsupported', reason: 'this system does not report when you are idle' };
}

/** Parses what busctl prints: one value in JSON for each property, times in µs. Undefined for anything else. */
export function logindState(printed: string): SessionState | undefined {
  const values = printed.trim().split('\n').map(dataOf);
  const [isIdle, since, isLocked] = values;
  if (typeof isIdle !== 'boolean' || typeof since !== 'number' || typeof isLocked !== 'boolean')
    return undefined;
  return { idleSince: isIdle ? since / 1000 : null, isLocked };
}

/** Parses the time since the last input (ns) from the I/O registry of macOS. Undefined where it is missing. */
export function inputState(printed: string, now: number): SessionState | undefined {
  const [, idle] = /"HIDIdleTime" = (\d{1,20})/.exec(printed) ?? [];
  return idle === undefined ? undefined : { idleSince: now - Number(idle) / 1e6, isLocked: false };
}

function dataOf(line: string): unknown {
  try {
    return (JSON.parse(line) as { readonly data?: unknown } | null)?.data;
  } catch {
    return undefined;
  }
}

function printedBy(name: string, args: readonly string[], env: Environment, remedy: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const program = systemProgram(name, env);
    if (program === undefined) return reject(new Error(`${name} is not installed. ${remedy}.`));
    const limits = { timeout: TIMEOUT_MS, maxBuffer: 1024 * 1024, windowsHide: true } as const;
    const child = execFile(program, args, { env, ...limits }, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout);
      const [line = ''] = stderr.trim().split('\n');
      reject(new Error(`${name}: ${line || 'no answer'}. ${remedy}.`));
    });
    child.stdin?.end();
    // A program that hangs must not delay the end of the process.
    child.unref();
  });
}
