import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { identityOf, lstatOf, removeIfStill } from '../platform/files/inode.ts';
import { LocalError } from '../src/base/local-error.ts';
import { BaseManager, type Placed } from './base-manager.ts';
import type {
  Command,
  InstallOptions,
  LogOptions,
  LogSource,
  PlannedFile,
  Ran,
  ServiceContext,
  ServiceDefinition,
  ServiceManager,
  ServiceStatus,
  Uninstalled,
} from './manager.ts';
import { type Receipt, removeFiles } from './receipt.ts';
import { SERVICE_UNIT, SOCKET_UNIT, START_LIMIT, serviceUnit, socketUnit } from './systemd-unit.ts';

const LINGER = 'linger';

/** Returns the manager for `systemctl --user` of the calling user. */
export function systemdManager(context: ServiceContext): ServiceManager {
  return new SystemdManager(context);
}

class SystemdManager extends BaseManager {
  constructor(context: ServiceContext) {
    super('systemd', context);
  }

  protected commands(_: ServiceDefinition, { start, linger, socket }: InstallOptions): Command[] {
    return [
      systemctl('daemon-reload'),
      systemctl('enable', ...units(socket)),
      ...(linger ? [lingering('enable-linger')] : []),
      // The socket unit is started first, because systemd passes no socket to a service that is already running.
      ...(start ? [systemctl('start', ...units(socket).reverse())] : []),
    ];
  }

  protected override files(definition: ServiceDefinition, { socket }: InstallOptions): PlannedFile[] {
    const folder = this.#folder();
    const service = { path: join(folder, SERVICE_UNIT), content: serviceUnit(definition), mode: 0o644 };
    if (!socket) return [service];
    return [service, { path: join(folder, SOCKET_UNIT), content: socketUnit(), mode: 0o644 }];
  }

  /** Its log goes to the journal. */
  protected override argv({ argv }: ServiceDefinition): Command {
    return argv;
  }

  protected async register({ options, files, before, changed, record, notes }: Placed): Promise<boolean> {
    const dropped = (before?.files ?? []).filter(({ path }) => !files.some((file) => file.path === path));
    const marks = new Set(before?.marks);
    record([...marks]);
    const isUpdate = changed || dropped.length > 0;
    if (dropped.length > 0) await this.#dropSocket(dropped);
    if (isUpdate) await this.#expect(systemctl('daemon-reload'));
    await this.#expect(systemctl('enable', ...units(options.socket)));
    if (options.linger) {
      const { added, note } = await this.#linger();
      if (added) marks.add(LINGER);
      if (note !== undefined) notes.push(note);
      record([...marks]);
    }
    return isUpdate;
  }

  protected async unregister({ files }: Receipt, notes: string[]): Promise<void> {
    if (await this.isReached()) {
      const installed = files.map(({ path }) => path.slice(path.lastIndexOf('/') + 1));
      await this.run(systemctl('disable', '--now', ...installed));
    } else {
      notes.push('The user manager does not answer: a bridge that still runs has to be ended by hand.');
      removeWants(this.#folder());
    }
  }

  override async uninstall(options: { readonly force: boolean }): Promise<Uninstalled> {
    const marks = this.receipt()?.marks;
    const removed = await super.uninstall(options);
    if (removed.change === 'unchanged' || !(await this.isReached())) return removed;
    await this.run(systemctl('daemon-reload'));
    await this.run(systemctl('reset-failed', SERVICE_UNIT));
    if (marks?.includes(LINGER)) await this.run(lingering('disable-linger'));
    return removed;
  }

  /** Starts the service even if it runs already, because its socket may be missing. */
  override async start(): Promise<boolean> {
    const before = await this.installed();
    await this.bringUp();
    return before.kind !== 'running';
  }

  /** Always true, because systemd knows its units without a receipt. */
  protected override isOurs(): boolean {
    return true;
  }

  protected async end(): Promise<void> {
    const socket = await this.#hasSocket();
    // Socket and service are stopped together: a remaining socket would start the service again for the next app.
    await this.#expect(systemctl('stop', ...units(socket)));
    // `reset-failed` makes a service that gave up count as stopped.
    await this.run(systemctl('reset-failed', ...units(socket)));
  }

  override logs({ lines, follow }: LogOptions): LogSource {
    const flags = follow ? ['--follow'] : ['--no-pager'];
    return {
      kind: 'command',
      argv: ['journalctl', '--user', '--unit', SERVICE_UNIT, '--lines', String(lines), ...flags],
      hint: 'Where the journal lies in memory alone, only members of the group systemd-journal read it; the folder /var/log/journal keeps it for all.',
    };
  }

  #folder(): string {
    return this.configFolder('systemd', 'user');
  }

  /** Restarts only the service. Its socket stays, so that no app is refused meanwhile. */
  protected override async bringUpAgain(): Promise<void> {
    await this.#expect(systemctl('stop', SERVICE_UNIT));
    await this.bringUp();
  }

  protected async bringUp(): Promise<void> {
    const socket = await this.#hasSocket();
    // The user requested this start, so earlier failures must not count.
    await this.run(systemctl('reset-failed', ...units(socket)));
    if (socket && !(await this.#isActive(SOCKET_UNIT))) {
      // The service is stopped before, because systemd passes no socket to a running service.
      await this.#expect(systemctl('stop', SERVICE_UNIT));
      await this.#expect(systemctl('start', SOCKET_UNIT));
    }
    const { code, stderr } = await this.run(systemctl('start', SERVICE_UNIT));
    if (code === 0) return;
    const status = await this.queryStatus();
    // Between two attempts the service is neither failed nor running, so the error of `systemctl` is the only reason.
    const why = 'reason' in status && status.reason !== undefined ? status.reason : firstLine(stderr);
    throw new LocalError(
      'FOOTBRIDGE_SERVICE',
      `The service is installed and does not start: ${why}. Its log says more: footbridge logs`,
    );
  }

  async #dropSocket(files: Receipt['files']): Promise<void> {
    await this.run(systemctl('disable', '--now', SOCKET_UNIT));
    removeFiles(files, false);
  }

  /** Enables lingering, so that the user's services run without a session; returns whether this call enabled it. */
  async #linger(): Promise<{ readonly added: boolean; readonly note?: string }> {
    const { user } = this.context;
    const linger = await this.run(['loginctl', 'show-user', user, '--property=Linger', '--value']);
    if (linger.stdout.trim() === 'yes') return { added: false };
    const { code, stderr } = await this.run(lingering('enable-linger'));
    if (code === 0) return { added: true };
    return {
      added: false,
      note: `It ends when you log out: ${firstLine(stderr)}. Ask an administrator for: loginctl enable-linger ${user}`,
    };
  }

  protected async queryStatus(): Promise<ServiceStatus> {
    const properties = await this.#propertiesOf(SERVICE_UNIT);
    if (properties['LoadState'] === 'not-found') return { kind: 'absent' };
    switch (properties['ActiveState']) {
      case 'active':
      case 'reloading':
        return {
          kind: 'running',
          pid: Number(properties['MainPID']),
          restarts: Number(properties['NRestarts']),
        };
      case 'activating':
        return { kind: 'starting' };
      case 'failed':
        return { kind: 'failed', reason: failure(properties) };
      default:
        return (await this.#isActive(SOCKET_UNIT))
          ? { kind: 'stopped', reason: 'it starts when the first app connects' }
          : { kind: 'stopped' };
    }
  }

  async #hasSocket(): Promise<boolean> {
    return (await this.#propertiesOf(SOCKET_UNIT))['LoadState'] !== 'not-found';
  }

  async #isActive(unit: string): Promise<boolean> {
    return (await this.#propertiesOf(unit))['ActiveState'] === 'active';
  }

  async #propertiesOf(unit: string): Promise<Readonly<Record<string, string>>> {
    const names = 'LoadState,ActiveState,SubState,MainPID,NRestarts,Result,ExecMainStatus';
    const { stdout } = await this.#expect(systemctl('show', unit, `--property=${names}`));
    return Object.fromEntries(stdout.split('\n').map((line) => line.split(/=(.*)/s).slice(0, 2)));
  }

  /**
   * Checks that the user's manager can be reached. Throws `LocalError` FOOTBRIDGE_NO_MANAGER with the reason when it
   * cannot.
   */
  protected override async reach(): Promise<void> {
    const { code, stderr } = await this.run(systemctl('show', '--property=Version'));
    if (code === 0) return;
    throw unreachable(this.context, firstLine(stderr));
  }

  #expect(command: Command): Promise<Ran> {
    return this.expect(command, command.join(' '));
  }
}

function units(socket: boolean): string[] {
  return socket ? [SERVICE_UNIT, SOCKET_UNIT] : [SERVICE_UNIT];
}

function systemctl(...args: readonly string[]): Command {
  return ['systemctl', '--user', ...args];
}

/** Returns a `loginctl` command without a user name, for which loginctl uses the caller. */
function lingering(verb: 'enable-linger' | 'disable-linger'): Command {
  return ['loginctl', verb];
}

/** Removes the links that `enable` created, because `disable` is impossible without the manager. */
function removeWants(folder: string): void {
  for (const [target, unit] of [
    ['default.target.wants', SERVICE_UNIT],
    ['sockets.target.wants', SOCKET_UNIT],
  ] as const) {
    const path = join(folder, target, unit);
    const status = lstatOf(path);
    if (status?.isSymbolicLink() === true) removeIfStill(path, identityOf(status));
  }
}

/** Describes a failure by systemd's `Result` and the exit code; the exit codes are those of our command line. */
function failure({ Result: result, ExecMainStatus: status }: Readonly<Record<string, string>>): string {
  switch (result) {
    case 'start-limit-hit':
      return `it ended more than ${START_LIMIT.burst} times within ${START_LIMIT.seconds} seconds`;
    case 'exit-code':
      return `exit code ${status}${meanings.get(status ?? '') ?? ''}`;
    case 'signal':
    case 'core-dump':
      return `it was ended by signal ${status}`;
    case 'watchdog':
      return 'it hung and was ended';
    case 'timeout':
      return 'it was not ready, or did not end, in time';
    case 'oom-kill':
      return 'the system was out of memory';
    default:
      return `systemd says "${result}"`;
  }
}

const meanings: ReadonlyMap<string, string> = new Map([
  ['64', ', the command line is wrong'],
  ['75', ', the endpoint, port or data folder is taken'],
  ['78', ', a setting, file or folder is wrong'],
]);

/**
 * Returns the error for an unreachable manager. The advice depends only on facts that we check ourselves, because
 * systemd's texts differ by language and version.
 */
function unreachable({ env, uid, user }: ServiceContext, detail: string): LocalError {
  const runtime = env['XDG_RUNTIME_DIR'] ?? '';
  const advice =
    runtime === ''
      ? `XDG_RUNTIME_DIR is not set, as after "su" or "sudo". Log in as ${user}, or try: export XDG_RUNTIME_DIR=/run/user/${uid}`
      : existsSync(join(runtime, 'systemd', 'private'))
        ? 'It runs and does not answer. Try: systemctl --user daemon-reexec'
        : `No user manager runs: usual in containers, in WSL without systemd, and over ssh for a user who never logs in (then: loginctl enable-linger ${user})`;
  return new LocalError(
    'FOOTBRIDGE_NO_MANAGER',
    `The user's systemd does not answer (${detail}). ${advice}. ` +
      '"footbridge install --print" shows what would be installed; "footbridge run" works without it.',
  );
}

function firstLine(text: string): string {
  return (text.trim().split('\n', 1)[0] ?? '').replace(/[.:\s]+$/, '').slice(0, 300) || 'no reason given';
}
