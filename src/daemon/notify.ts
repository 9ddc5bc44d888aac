import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Environment, type OsName, sessionEnvironment } from '../../platform/endpoint/endpoints.ts';
import { ownSessionBus } from '../../platform/endpoint/session-bus.ts';
import { systemProgram } from '../../platform/process/system-program.ts';
import { READING_MS } from '../emulator/accounts/consent/reading-time.ts';
import type { WaitingRequest } from '../emulator/api/waiting-request.ts';
import type { OnRequest } from './core-options.ts';
import {
  type Command,
  capabilitiesCommand,
  notification,
  notificationWithButtons,
  plainNotification,
  supportsButtons,
} from './notification.ts';
import { unstoredText } from './state-files.ts';

/** Result of a program that has ended; `missing` means that no program has the name. */
interface Ran {
  readonly outcome: 'done' | 'failed' | 'missing';
  readonly stdout: string;
}

/** Runs a program until it ends, the timeout passes or the signal aborts. Never rejects. */
type Run = (command: Command, env: Environment, ms: number, signal?: AbortSignal) => Promise<Ran>;

/** Dependencies of the notifier. */
export interface NotifierOptions {
  readonly os: OsName;
  readonly env: Environment;
  readonly uid: number | undefined;
  readonly onRequest: OnRequest;
  /**
   * Carries out the answer of the pressed button; the result says whether it is stored. Throws for a request that was
   * answered earlier.
   */
  readonly decide: (request: WaitingRequest, answer: 'once' | 'deny') => Promise<unknown>;
  /** Stand-in for tests. */
  readonly run?: Run;
  /** In ms; for tests. */
  readonly now?: () => number;
}

/**
 * Maximum number of notification processes of each kind, so that a notification server that hangs does not cause ever
 * more of them.
 */
const MAX_CONCURRENT = 4;
const COMMAND_TIMEOUT_MS = 5000;

/**
 * Sends the desktop a notification for each request. The user may answer in the notification if the desktop has buttons
 * and the bus is this user's own; otherwise the text contains the command to type. Without a desktop it shows nothing
 * and tries again at the next request, because a service may start before its session. Returns a function that stops
 * the notifications.
 */
export function notifyDesktop(options: NotifierOptions): () => void {
  const notifier = new Notifier(options);
  const off = options.onRequest((event, request) => {
    if (event === 'added') void notifier.display(request);
    else notifier.settled(request.id);
  });
  return () => {
    off();
    notifier.stop();
  };
}

class Notifier {
  readonly #options: NotifierOptions;
  readonly #run: Run;
  readonly #now: () => number;
  /** Open notifications with buttons, by the id of the request. */
  readonly #displayed = new Map<string, AbortController>();
  #plain = 0;
  #missing = false;

  constructor(options: NotifierOptions) {
    this.#options = options;
    this.#run = options.run ?? runQuietly;
    this.#now = options.now ?? (() => performance.now());
  }

  async display(request: WaitingRequest): Promise<void> {
    const { os, env } = this.#options;
    if (this.#missing || !hasDesktop(os, env)) return;
    if (this.#displayed.size < MAX_CONCURRENT && (await this.#display(request)) === 'shown') return;
    const command = notification(os, request);
    if (command === undefined || this.#plain >= MAX_CONCURRENT) return;
    this.#plain += 1;
    const { outcome } = await this.#run(command, env, COMMAND_TIMEOUT_MS);
    this.#plain -= 1;
    this.#missing ||= outcome === 'missing';
  }

  async #displayPlain(text: string, env: Environment): Promise<void> {
    const command = plainNotification(this.#options.os, text, 'Footbridge');
    if (command !== undefined) await this.#run(command, env, COMMAND_TIMEOUT_MS);
  }

  /** Closes the notification of a request that was answered elsewhere, timed out or withdrawn. */
  settled(id: string): void {
    this.#displayed.get(id)?.abort();
  }

  stop(): void {
    for (const controller of this.#displayed.values()) controller.abort();
  }

  async #display(request: WaitingRequest): Promise<'shown' | 'not shown'> {
    const { os, env, uid, decide } = this.#options;
    const bus = os === 'linux' ? ownSessionBus(env, uid) : undefined;
    const command = notificationWithButtons(request);
    if (bus === undefined || command === undefined) return 'not shown';
    const own = { ...env, DBUS_SESSION_BUS_ADDRESS: bus };
    const controller = new AbortController();
    this.#displayed.set(request.id, controller);
    try {
      const { stdout: able } = await this.#run(capabilitiesCommand(bus), own, COMMAND_TIMEOUT_MS);
      if (!supportsButtons(able)) return 'not shown';
      for (;;) {
        const since = this.#now();
        if (controller.signal.aborted) return 'shown';
        const left = Math.max(1, request.expiresAt - request.requestedAt);
        const { outcome, stdout } = await this.#run(command, own, left, controller.signal);
        if (controller.signal.aborted) return 'shown';
        // This notify-send is too old for buttons.
        if (outcome !== 'done') return 'not shown';
        const pressed = stdout.trim();
        if (pressed !== 'allow' && pressed !== 'deny') return 'shown';
        const [answer, done] =
          pressed === 'allow' ? (['once', 'Allowed'] as const) : (['deny', 'Denied'] as const);
        // A click so soon was meant for an earlier window, so it does not count: the notification appears again.
        if (answer === 'once' && this.#now() - since < READING_MS) continue;
        const unstored = unstoredText(await decide(request, answer));
        if (unstored !== undefined) await this.#displayPlain(`${done}; ${unstored}`, own);
        return 'shown';
      }
    } catch {
      // The request was answered earlier, or this requester may not allow it. No notification has to report that: the
      // request has its own state.
      return 'shown';
    } finally {
      this.#displayed.delete(request.id);
    }
  }
}

function hasDesktop(os: OsName, env: Environment): boolean {
  const isSet = (name: string): boolean => (env[name] ?? '') !== '';
  if (os === 'darwin') return !isSet('SSH_CONNECTION');
  if (os !== 'linux') return false;
  // A service often lacks the environment variables of the user's session, which may start later than the service.
  const { XDG_RUNTIME_DIR: runtime } = sessionEnvironment(env);
  return (
    isSet('DISPLAY') || isSet('WAYLAND_DISPLAY') || Boolean(runtime && existsSync(join(runtime, 'wayland-0')))
  );
}

/**
 * Runs a program with short output, without blocking. The timeout ends it with SIGINT, at which notify-send closes its
 * notification.
 */
function runQuietly(
  [file, ...args]: Command,
  env: Environment,
  ms: number,
  signal?: AbortSignal,
): Promise<Ran> {
  return new Promise((resolve) => {
    // The import is here and not at the top, because a typical bridge never has a request.
    const { execFile } = process.getBuiltinModule('node:child_process');
    const limits = { timeout: ms, killSignal: 'SIGINT', maxBuffer: 4096, windowsHide: true } as const;
    const program = systemProgram(file, env);
    if (program === undefined) return resolve({ outcome: 'missing', stdout: '' });
    const child = execFile(program, args, { env, ...limits }, (error, stdout) => {
      signal?.removeEventListener('abort', end);
      resolve({ outcome: error === null ? 'done' : error.code === 'ENOENT' ? 'missing' : 'failed', stdout });
    });
    const end = (): void => void child.kill('SIGINT');
    signal?.addEventListener('abort', end);
    child.stdin?.end();
    // A notification that hangs must not delay the end of the process.
    child.unref();
  });
}
