import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { LocalError } from '../src/base/local-error.ts';
import { attempt, refusal } from './attempt.ts';
import { Installation } from './installation.ts';
import { LABEL, launchAgent } from './launchd-plist.ts';
import { logFiles, withLogFiles } from './log-files.ts';
import type {
  Installed,
  InstallOptions,
  LogSource,
  Plan,
  PlannedFile,
  Ran,
  ServiceContext,
  ServiceDefinition,
  ServiceManager,
  ServiceStatus,
  Uninstalled,
} from './manager.ts';
import type { Receipt } from './receipt.ts';

/** launchctl ends with the number of the error; 5 is also what it says when it was asked too soon after a bootout. */
const EIO = 5;
const BOOTSTRAP_ATTEMPTS = 6;
const GONE_ATTEMPTS = 50;
const GONE_STEP_MS = 100;
const FIRST_RETRY_MS = 200;

/** For tests: time that does not pass. */
export interface LaunchdTiming {
  readonly sleep?: (ms: number) => Promise<unknown>;
}

/** `launchctl` in the domain of the user's graphical session. */
export function launchdManager(context: ServiceContext, timing: LaunchdTiming = {}): ServiceManager {
  return new LaunchdManager(context, timing.sleep ?? delay);
}

class LaunchdManager implements ServiceManager {
  readonly kind = 'launchd';
  readonly #context: ServiceContext;
  readonly #sleep: (ms: number) => Promise<unknown>;
  readonly #domain: string;
  readonly #target: string;
  readonly #path: string;
  readonly #installation: Installation;

  constructor(context: ServiceContext, sleep: (ms: number) => Promise<unknown>) {
    this.#context = context;
    this.#installation = new Installation(this.kind, context);
    this.#sleep = sleep;
    this.#domain = `gui/${context.uid ?? ''}`;
    this.#target = `${this.#domain}/${LABEL}`;
    this.#path = join(context.home, 'Library', 'LaunchAgents', `${LABEL}.plist`);
  }

  plan(definition: ServiceDefinition, { start }: InstallOptions): Plan {
    return {
      kind: this.kind,
      files: this.#files(definition),
      commands: [
        ['launchctl', 'enable', this.#target],
        ...(start ? [['launchctl', 'bootstrap', this.#domain, this.#path] as const] : []),
      ],
    };
  }

  async install(definition: ServiceDefinition, options: InstallOptions): Promise<Installed> {
    await this.#reach();
    const before = this.#installation.receipt();
    const files = this.#files(definition);
    const updated = this.#installation.place(files, options.force);
    this.#installation.record(definition, files, [definition.logFolder]);
    // Somebody may have switched it off for good; installing it is saying that it shall run.
    await this.#expect('enable', this.#target);
    if (options.start && updated) await this.#unload();
    if (options.start) await this.#bringUp();
    const { kind } = await this.status();
    return this.#installation.report({
      before,
      updated,
      files,
      argv: withLogFiles(definition.argv),
      running: kind === 'running',
      notes: [
        ...(options.linger ? ['launchd ends it when you log out; there is no lingering here.'] : []),
        ...(options.socket ? ['launchd holds no endpoint for it; it listens itself.'] : []),
      ],
    });
  }

  async uninstall({ force }: { readonly force: boolean }): Promise<Uninstalled> {
    const unregister = async (_: Receipt, notes: string[]): Promise<void> => {
      if (await this.#isReached()) await this.#unload();
      else
        notes.push(
          'launchd does not answer for your session: a bridge that still runs has to be ended by hand.',
        );
    };
    return this.#installation.remove(force, unregister, (kept) =>
      kept.map((path) => `${path} was edited and stays where it is; launchd reads it at the next login.`),
    );
  }

  async start(): Promise<boolean> {
    await this.#reach();
    this.#installation.expect();
    const before = await this.#askStatus();
    if (before.kind === 'running') return false;
    await this.#bringUp();
    return true;
  }

  async stop(): Promise<boolean> {
    if (this.#installation.receipt() === undefined) return false;
    await this.#reach();
    const before = await this.#askStatus();
    // Not `kill`: that would leave a start that is only put off. The next login loads it again.
    await this.#unload();
    return before.kind === 'running' || before.kind === 'starting';
  }

  async restart(): Promise<void> {
    await this.#reach();
    this.#installation.expect();
    // A new load, so that an edited file counts.
    await this.#unload();
    await this.#bringUp();
  }

  async status(): Promise<ServiceStatus> {
    if (this.#installation.receipt() === undefined) return { kind: 'absent' };
    if (!(await this.#isReached())) return { kind: 'unknown', reason: noSession(this.#domain).message };
    return this.#askStatus();
  }

  logs(): LogSource {
    const receipt = this.#installation.receipt();
    return logFiles(receipt?.marks[0]);
  }

  #files(definition: ServiceDefinition): PlannedFile[] {
    const argv = withLogFiles(definition.argv);
    return [{ path: this.#path, content: launchAgent({ ...definition, argv }), mode: 0o644 }];
  }

  /** Loads it, which starts it; one that is loaded and does not run is kicked. */
  async #bringUp(): Promise<void> {
    if (!(await this.#isLoaded())) await this.#bootstrap();
    if ((await this.#askStatus()).kind !== 'running') await this.#expect('kickstart', this.#target);
  }

  /** launchd is not done with the old one when bootout returns, and answers a bootstrap with 5 until it is. */
  async #bootstrap(): Promise<void> {
    let wait = FIRST_RETRY_MS;
    for (let attempt = 1; ; attempt++) {
      const ran = await this.#launchctl('bootstrap', this.#domain, this.#path);
      if (ran.code === 0 || (await this.#isLoaded())) return;
      if (ran.code !== EIO || attempt === BOOTSTRAP_ATTEMPTS) throw refusal('launchctl bootstrap', ran);
      await this.#sleep(wait);
      wait *= 2;
    }
  }

  /** Ends it and waits until launchd has forgotten it. */
  async #unload(): Promise<void> {
    if (!(await this.#isLoaded())) return;
    const ran = await this.#launchctl('bootout', this.#target);
    for (let attempt = 0; attempt < GONE_ATTEMPTS; attempt++) {
      if (!(await this.#isLoaded())) return;
      await this.#sleep(GONE_STEP_MS);
    }
    throw refusal('launchctl bootout', ran);
  }

  async #isLoaded(): Promise<boolean> {
    return (await this.#launchctl('print', this.#target)).code === 0;
  }

  async #askStatus(): Promise<ServiceStatus> {
    const { code, stdout } = await this.#launchctl('print', this.#target);
    if (code !== 0) return { kind: 'stopped', reason: 'it is not loaded until the next login or start' };
    return statusFrom(stdout);
  }

  async #isReached(): Promise<boolean> {
    return (await this.#launchctl('print', this.#domain)).code === 0;
  }

  async #reach(): Promise<void> {
    if (!(await this.#isReached())) throw noSession(this.#domain);
  }

  async #expect(...words: readonly string[]): Promise<void> {
    const ran = await this.#launchctl(...words);
    if (ran.code !== 0) throw refusal(`launchctl ${words[0]}`, ran);
  }

  #launchctl(...words: readonly string[]): Promise<Ran> {
    return attempt(this.#context.run, ['launchctl', ...words]);
  }
}

/** The first level of `launchctl print`: a tab, a name, a value. */
export function statusFrom(text: string): ServiceStatus {
  const value = (name: string): string | undefined =>
    new RegExp(`^\\t${name} = (.*)$`, 'm').exec(text)?.[1]?.trim();
  const pid = Number(value('pid'));
  const restarts = Math.max(0, Number(value('runs') ?? 1) - 1);
  const state = value('state');
  if (state === 'running' || pid > 0) {
    return {
      kind: 'running',
      ...(pid > 0 ? { pid } : {}),
      ...(Number.isInteger(restarts) ? { restarts } : {}),
    };
  }
  const exit = value('last exit code');
  const failed =
    exit !== undefined && /^[1-9]/.test(exit)
      ? `exit code ${Number.parseInt(exit, 10)}; launchd tries again`
      : undefined;
  if (state === 'spawn scheduled' && failed === undefined) return { kind: 'starting' };
  return failed === undefined ? { kind: 'stopped' } : { kind: 'failed', reason: failed };
}

function noSession(domain: string): LocalError {
  return new LocalError(
    'FOOTBRIDGE_NO_MANAGER',
    `launchd has no session ${domain}: the user is not logged in at the screen (over ssh, for instance). ` +
      'Log in there; "footbridge install --print" shows what would be installed.',
  );
}
