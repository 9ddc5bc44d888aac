import { join } from 'node:path';
import { LocalError } from '../src/base/local-error.ts';
import { refusal } from './attempt.ts';
import { BaseManager, type Placed } from './base-manager.ts';
import { LABEL, launchAgent } from './launchd-plist.ts';
import type {
  Command,
  InstallOptions,
  PlannedFile,
  ServiceContext,
  ServiceDefinition,
  ServiceManager,
  ServiceStatus,
} from './manager.ts';
import type { Receipt } from './receipt.ts';

/**
 * Exit code of launchctl, which is the number of the error. launchctl also reports 5 for a bootstrap too soon after a
 * bootout.
 */
const EIO = 5;
const BOOTSTRAP_ATTEMPTS = 6;
const UNLOAD_ATTEMPTS = 50;
const UNLOAD_POLL_MS = 100;
const FIRST_RETRY_MS = 200;

/** Replaces the clock in tests. */
export interface LaunchdTiming {
  readonly sleep?: (ms: number) => Promise<unknown>;
}

/** Manager that calls `launchctl` for the domain of the user's graphical session. */
export function launchdManager(context: ServiceContext, timing: LaunchdTiming = {}): ServiceManager {
  return new LaunchdManager(context, timing.sleep);
}

class LaunchdManager extends BaseManager {
  readonly #domain: string;
  readonly #target: string;
  readonly #path: string;

  constructor(context: ServiceContext, sleep: LaunchdTiming['sleep']) {
    super('launchd', context, sleep);
    this.#domain = `gui/${context.uid ?? ''}`;
    this.#target = `${this.#domain}/${LABEL}`;
    this.#path = join(context.home, 'Library', 'LaunchAgents', `${LABEL}.plist`);
  }

  protected commands(_definition: ServiceDefinition, { start }: InstallOptions): Command[] {
    return [
      launchctl('enable', this.#target),
      ...(start ? [launchctl('bootstrap', this.#domain, this.#path)] : []),
    ];
  }

  protected override files(definition: ServiceDefinition): PlannedFile[] {
    const content = launchAgent({ ...definition, argv: this.argv(definition) });
    return [{ path: this.#path, content, mode: 0o644 }];
  }

  protected override notes({ linger, socket }: InstallOptions): string[] {
    return [
      ...(linger ? ['launchd ends it when you log out; there is no lingering here.'] : []),
      ...(socket ? ['launchd holds no endpoint for it; it listens itself.'] : []),
    ];
  }

  protected async register({ definition, changed, record }: Placed): Promise<boolean> {
    record([definition.logFolder]);
    // The user may have disabled the service permanently; an installation enables it again.
    await this.expect(launchctl('enable', this.#target));
    return changed;
  }

  protected async unregister(_: Receipt, notes: string[]): Promise<void> {
    if (await this.isReached()) return this.end();
    notes.push('launchd does not answer for your session: a bridge that still runs has to be ended by hand.');
  }

  protected override notesOfEdited(edited: readonly string[]): string[] {
    return edited.map(
      (path) => `${path} was edited and stays where it is; launchd reads it at the next login.`,
    );
  }

  /** Loads the service, which starts it. A service that is loaded but does not run is started with `kickstart`. */
  protected async bringUp(): Promise<void> {
    if (!(await this.#isLoaded())) await this.#bootstrap();
    if ((await this.queryStatus()).kind !== 'running')
      await this.expect(launchctl('kickstart', this.#target));
  }

  /**
   * Loads the service. After a bootout has returned, launchd is still unloading the old service, and answers a
   * bootstrap with 5 until it has finished.
   */
  async #bootstrap(): Promise<void> {
    let wait = FIRST_RETRY_MS;
    for (let attempt = 1; ; attempt++) {
      const ran = await this.run(launchctl('bootstrap', this.#domain, this.#path));
      if (ran.code === 0 || (await this.#isLoaded())) return;
      if (ran.code !== EIO || attempt === BOOTSTRAP_ATTEMPTS) throw refusal('launchctl bootstrap', ran);
      await this.sleep(wait);
      wait *= 2;
    }
  }

  /**
   * Unloads the service until the next login. `kill` is not used, because launchd would start the service again after a
   * delay.
   */
  protected async end(): Promise<void> {
    if (!(await this.#isLoaded())) return;
    const ran = await this.run(launchctl('bootout', this.#target));
    // The wait ends when launchd has unloaded the service.
    if (await this.until(async () => !(await this.#isLoaded()), UNLOAD_ATTEMPTS, UNLOAD_POLL_MS)) return;
    throw refusal('launchctl bootout', ran);
  }

  async #isLoaded(): Promise<boolean> {
    return (await this.run(launchctl('print', this.#target))).code === 0;
  }

  protected async queryStatus(): Promise<ServiceStatus> {
    const { code, stdout } = await this.run(launchctl('print', this.#target));
    if (code !== 0) return { kind: 'stopped', reason: 'it is not loaded until the next login or start' };
    return statusFrom(stdout);
  }

  protected override async reach(): Promise<void> {
    if ((await this.run(launchctl('print', this.#domain))).code !== 0) throw noSession(this.#domain);
  }
}

function launchctl(...args: readonly string[]): Command {
  return ['launchctl', ...args];
}

/** Parses the first level of `launchctl print`, in which each line is a tab, a name and a value. */
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
