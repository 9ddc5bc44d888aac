import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../base/local-error.ts';
import { callOperation } from '../control/routes.ts';
import { attachCore } from '../core/attach/attach-core.ts';
import { contract } from '../core/contract.ts';
import type { ClientCore, CoreHost, CoreStarted } from '../core/core.ts';
import { memoryPairingStore } from './pairing-store.ts';

/** A program that attaches to the core, and the options of its validation. */
export interface ValidationOptions {
  /** Shell command that starts it. */
  readonly command: string;
  /** Timeout of the first attach, and of each return (ms). */
  readonly attachMs: number;
  /** Environment of the program; the address and the one-time code are added. */
  readonly env: Readonly<Record<string, string | undefined>>;
  out(text: string): void;
}

/** Exit codes, the same as of the other conformance suites. */
const EXIT = { ok: 0, broken: 1, absent: 69 } as const;
/** Maximum length of the program's last output in a report (characters). */
const MAX_OUTPUT_CHARACTERS = 2000;
const POLL_MS = 20;
/** Grace period for the output of an ended program, in ms. */
const OUTPUT_MS = 500;
const MAX_EARLY_EVENTS = 100;

/** A rule that the program breaks. */
class BrokenRule extends Error {}
/** The program cannot be validated. */
class NotThere extends Error {}

/**
 * Runs the contract of a core over the attach protocol: the program attaches and answers. Returns 0 for a program that
 * passes every rule, 1 after the first broken rule, 69 for a program that does not attach.
 */
export async function validateCore(options: ValidationOptions): Promise<number> {
  const program = new Program();
  try {
    const commands = await validate(options, program);
    options.out(`${options.command}: keeps the contract; it answers ${commands} commands and comes back\n`);
    return EXIT.ok;
  } catch (error) {
    const message = messageOf(error);
    options.out(`${options.command}: ${message}\n${program.outputText()}`);
    return error instanceof NotThere ? EXIT.absent : EXIT.broken;
  } finally {
    await program.kill();
  }
}

async function validate({ command, attachMs, env }: ValidationOptions, program: Program): Promise<number> {
  const store = memoryPairingStore();
  const first = await Bridge.open(store, 0);
  try {
    const { code, url } = await first.run<{ code: string; url: string }>('attach.pair', { name: 'judged' });
    program.start(command, { ...env, FOOTBRIDGE_ATTACH_URL: url, FOOTBRIDGE_ATTACH_CODE: code });
    await attached(first, program, attachMs, 'it attaches with the code it was given');
    const { core, started } = first;
    await contract(() => ({
      name: core.name,
      start(host) {
        first.host = host;
        return started;
      },
      open: (peer) => core.open(peer),
      stop() {},
    }));
    const list = await first.list();
    const { attached: now, refused } = list;
    if (refused > 0)
      throw new BrokenRule(`rule broken: nothing it sends is refused; refused: ${first.why()}`);
    if (now[0] === undefined) throw new BrokenRule('rule broken: it stays attached');
    if (now[0].ignored > 0) throw new BrokenRule('rule broken: it answers only what it was asked, and once');
  } finally {
    await first.core.stop();
  }
  const second = await Bridge.open(store, first.port);
  try {
    await attached(second, program, attachMs, 'it comes back with its token when the bridge has restarted');
    return (await second.list()).attached[0]?.commands.length ?? 0;
  } finally {
    await second.core.stop();
  }
}

async function attached(bridge: Bridge, program: Program, ms: number, rule: string): Promise<void> {
  const isBack = rule.includes('comes back');
  for (const end = performance.now() + ms; performance.now() < end; await delay(POLL_MS)) {
    const { attached: now, refused } = await bridge.list();
    if (now.length > 0) return;
    if (refused > 0) throw new BrokenRule(`rule broken: ${rule}; refused: ${bridge.why()}`);
    if (program.ended !== undefined && !isBack) {
      const silence = program.outputText() === '' ? ', and it wrote nothing' : '';
      throw new NotThere(`it ended with ${program.ended}${silence}`);
    }
  }
  const text = `within ${ms / 1000} seconds`;
  if (isBack) throw new BrokenRule(`rule broken: ${rule}, ${text}`);
  throw new NotThere(`it did not attach ${text}`);
}

interface Attached {
  readonly ignored: number;
  readonly commands: readonly string[];
}

/** An attach core on its own port, without apps. */
class Bridge {
  readonly core: ClientCore;
  readonly started: CoreStarted;
  #host: CoreHost | undefined;
  /** Events that the program emitted before the host was set. */
  readonly #early: Parameters<CoreHost['emit']>[] = [];
  readonly #reasons: string[];

  private constructor(core: ClientCore, started: CoreStarted, reasons: string[]) {
    this.core = core;
    this.started = started;
    this.#reasons = reasons;
  }

  static async open(store: ReturnType<typeof memoryPairingStore>, port: number): Promise<Bridge> {
    const core = attachCore({
      store,
      attachPort: port,
      bridgePort: null,
      bridgeSecrets: false,
      origins: [],
      refusedOwner: async () => undefined,
    });
    const reasons: string[] = [];
    const host: CoreHost = {
      emit(event, data, to) {
        bridge.#receive([event, data, to]);
        return 0;
      },
      relay() {},
      closeSessions: () => 0,
      grant() {},
      log: (_level, message, { reason } = {}) => reasons.push(reason ?? message),
    };
    const bridge = new Bridge(core, await core.start(host), reasons);
    return bridge;
  }

  /** Sets the host that receives the program's events. */
  set host(host: CoreHost) {
    this.#host = host;
    for (const event of this.#early.splice(0)) host.emit(...event);
  }

  #receive(event: Parameters<CoreHost['emit']>): void {
    if (this.#host) this.#host.emit(...event);
    else if (this.#early.length < MAX_EARLY_EVENTS) this.#early.push(event);
  }

  get port(): number {
    const shown = Object.fromEntries(this.started.describe?.() ?? []);
    return Number(new URL(String(shown['clients attach to'])).port);
  }

  why(): string {
    return this.#reasons.at(-1) ?? 'unknown';
  }

  async run<T>(name: string, args: object): Promise<T> {
    return (await callOperation(
      { operations: this.started.admin ?? {}, mayAllow: () => undefined },
      name,
      args,
      { via: 'control' },
    )) as T;
  }

  async list(): Promise<{ readonly attached: readonly Attached[]; readonly refused: number }> {
    const { clients, refused } = await this.run<{
      clients: { attached: Attached[] }[];
      refused: number;
    }>('attach.list', {});
    return { attached: clients[0]?.attached ?? [], refused };
  }
}

/** The program under test, in its own process group. */
class Program {
  #child: ChildProcess | undefined;
  #output = '';
  /** Reason of its end. */
  ended: string | undefined;

  start(command: string, env: Readonly<Record<string, string | undefined>>): void {
    const detached = process.platform !== 'win32';
    // The module is loaded here, because a bridge needs none of it.
    const { spawn } = process.getBuiltinModule('node:child_process');
    const child = spawn(command, {
      shell: true,
      detached,
      env: { ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    const remember = (chunk: Buffer): void => {
      this.#output = (this.#output + chunk.toString('utf8')).slice(-MAX_OUTPUT_CHARACTERS);
    };
    child.stdout.on('data', remember);
    child.stderr.on('data', remember);
    child.on('error', () => {});
    child.on('exit', (code, signal) => {
      const end = (): void => {
        this.ended = signal === null ? `code ${code}` : `signal ${signal}`;
      };
      // The output is awaited, because its last lines explain the end of the program, but not for long: a process that
      // the program left behind may hold the pipes open.
      child.once('close', end);
      setTimeout(end, OUTPUT_MS).unref();
    });
  }

  /** Last output of the program, without control characters. */
  outputText(): string {
    const text = this.#output.replace(/(?!\n)\p{C}/gu, '?').trim();
    return text === '' ? '' : `${text}\n`;
  }

  /** Ends the program and all its child processes. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined || this.ended !== undefined) return;
    const over = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    try {
      // The whole group is killed, because a shell or a package runner may be the program's parent.
      if (process.platform === 'win32') child.kill('SIGKILL');
      else process.kill(-child.pid, 'SIGKILL');
    } catch {
      return;
    }
    await over;
  }
}
