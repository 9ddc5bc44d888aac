import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { identityOf, lstatOf, removeIfStill } from '../platform/files/inode.ts';
import { LocalError, systemCode } from '../src/base/local-error.ts';
import { notInstalled } from './attempt.ts';
import { Installation } from './installation.ts';
import type {
  Installed,
  InstallOptions,
  LogOptions,
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
import { type Receipt, removeFiles } from './receipt.ts';
import { SERVICE_UNIT, SOCKET_UNIT, START_LIMIT, serviceUnit, socketUnit } from './systemd-unit.ts';

type Command = readonly [string, ...string[]];

const LINGER = 'linger';

/** `systemctl --user` of the user who calls it. */
export function systemdManager(context: ServiceContext): ServiceManager {
  return new SystemdManager(context);
}

class SystemdManager implements ServiceManager {
  readonly kind = 'systemd';
  readonly #context: ServiceContext;
  readonly #installation: Installation;

  constructor(context: ServiceContext) {
    this.#context = context;
    this.#installation = new Installation(this.kind, context);
  }

  plan(definition: ServiceDefinition, { start, linger, socket }: InstallOptions): Plan {
    return {
      kind: this.kind,
      files: this.#files(definition, socket),
      commands: [
        systemctl('daemon-reload'),
        systemctl('enable', ...units(socket)),
        ...(linger ? [lingering('enable-linger')] : []),
        // Sockets first: a service that runs has no use for one.
        ...(start ? [systemctl('start', ...units(socket).reverse())] : []),
      ],
    };
  }

  async install(definition: ServiceDefinition, options: InstallOptions): Promise<Installed> {
    await this.#reach();
    const before = this.#installation.receipt();
    const files = this.#files(definition, options.socket);
    const notes: string[] = [];

    const dropped = (before?.files ?? []).filter(({ path }) => !files.some((file) => file.path === path));
    const changed = this.#installation.place(files, options.force);
    const marks = new Set(before?.marks);
    const record = (): void => this.#installation.record(definition, files, [...marks]);
    record();
    const isUpdate = changed || dropped.length > 0;
    if (dropped.length > 0) await this.#dropSocket(dropped);
    if (isUpdate) await this.#expect(systemctl('daemon-reload'));
    await this.#expect(systemctl('enable', ...units(options.socket)));
    if (options.linger) {
      const { added, note } = await this.#linger();
      if (added) marks.add(LINGER);
      if (note !== undefined) notes.push(note);
      record();
    }
    if (options.start) await this.#bringUp(options.socket, isUpdate);
    const { kind } = await this.status();
    return this.#installation.report({
      before,
      updated: isUpdate,
      files,
      argv: definition.argv,
      running: kind === 'running',
      notes,
    });
  }

  async uninstall({ force }: { readonly force: boolean }): Promise<Uninstalled> {
    const receipt = this.#installation.receipt();
    const reached = receipt !== undefined && (await this.#isReached());
    const removed = await this.#installation.remove(force, async ({ files }, notes) => {
      if (reached) {
        const installed = files.map(({ path }) => path.slice(path.lastIndexOf('/') + 1));
        await this.#run(systemctl('disable', '--now', ...installed));
      } else {
        notes.push('The user manager does not answer: a bridge that still runs has to be ended by hand.');
        removeWants(this.#folder());
      }
    });
    if (removed.change === 'unchanged' || !reached) return removed;
    await this.#run(systemctl('daemon-reload'));
    await this.#run(systemctl('reset-failed', SERVICE_UNIT));
    if (receipt?.marks.includes(LINGER)) await this.#run(lingering('disable-linger'));
    return removed;
  }

  async start(): Promise<boolean> {
    const before = await this.#installedStatus();
    await this.#bringUp(await this.#hasSocket(), false);
    return before.kind !== 'running';
  }

  async stop(): Promise<boolean> {
    const before = await this.#askStatus();
    if (before.kind === 'absent') return false;
    const socket = await this.#hasSocket();
    // Together: a socket that stays would start the service again for the next app.
    await this.#expect(systemctl('stop', ...units(socket)));
    // A service that gave up counts as stopped from here on.
    await this.#run(systemctl('reset-failed', ...units(socket)));
    return before.kind === 'running' || before.kind === 'starting';
  }

  async restart(): Promise<void> {
    await this.#installedStatus();
    await this.#bringUp(await this.#hasSocket(), true);
  }

  async status(): Promise<ServiceStatus> {
    try {
      return await this.#askStatus();
    } catch (error) {
      if (!(error instanceof LocalError)) throw error;
      if (this.#installation.receipt() === undefined) return { kind: 'absent' };
      return { kind: 'unknown', reason: error.message };
    }
  }

  logs({ lines, follow }: LogOptions): LogSource {
    const flags = follow ? ['--follow'] : ['--no-pager'];
    return {
      kind: 'command',
      argv: ['journalctl', '--user', '--unit', SERVICE_UNIT, '--lines', String(lines), ...flags],
      hint: 'Where the journal lies in memory alone, only members of the group systemd-journal read it; the folder /var/log/journal keeps it for all.',
    };
  }

  #folder(): string {
    const { env, home } = this.#context;
    const config = env['XDG_CONFIG_HOME'] ?? '';
    return join(isAbsolute(config) ? config : join(home, '.config'), 'systemd', 'user');
  }

  #files(definition: ServiceDefinition, socket: boolean): PlannedFile[] {
    const folder = this.#folder();
    const service = { path: join(folder, SERVICE_UNIT), content: serviceUnit(definition), mode: 0o644 };
    if (!socket) return [service];
    return [service, { path: join(folder, SOCKET_UNIT), content: socketUnit(), mode: 0o644 }];
  }

  async #bringUp(socket: boolean, again: boolean): Promise<void> {
    if (again) await this.#expect(systemctl('stop', SERVICE_UNIT));
    // Somebody asks for it: what happened before does not count.
    await this.#run(systemctl('reset-failed', ...units(socket)));
    if (socket && !(await this.#isActive(SOCKET_UNIT))) {
      // systemd gives a running service no socket.
      await this.#expect(systemctl('stop', SERVICE_UNIT));
      await this.#expect(systemctl('start', SOCKET_UNIT));
    }
    const { code, stderr } = await this.#run(systemctl('start', SERVICE_UNIT));
    if (code === 0) return;
    const status = await this.#askStatus();
    // Between two attempts it is neither.
    const why = 'reason' in status && status.reason !== undefined ? status.reason : firstLine(stderr);
    throw new LocalError(
      'FOOTBRIDGE_SERVICE',
      `The service is installed and does not start: ${why}. Its log says more: footbridge logs`,
    );
  }

  async #dropSocket(files: Receipt['files']): Promise<void> {
    await this.#run(systemctl('disable', '--now', SOCKET_UNIT));
    removeFiles(files, false);
  }

  /** Keeps the user's services alive without a session; says whether it was us who changed that. */
  async #linger(): Promise<{ readonly added: boolean; readonly note?: string }> {
    const { user } = this.#context;
    const shown = await this.#run(['loginctl', 'show-user', user, '--property=Linger', '--value']);
    if (shown.stdout.trim() === 'yes') return { added: false };
    const { code, stderr } = await this.#run(lingering('enable-linger'));
    if (code === 0) return { added: true };
    return {
      added: false,
      note: `It ends when you log out: ${firstLine(stderr)}. Ask an administrator for: loginctl enable-linger ${user}`,
    };
  }

  async #installedStatus(): Promise<ServiceStatus> {
    const status = await this.#askStatus();
    if (status.kind !== 'absent') return status;
    throw notInstalled();
  }

  async #askStatus(): Promise<ServiceStatus> {
    await this.#reach();
    const shown = await this.#show(SERVICE_UNIT);
    if (shown['LoadState'] === 'not-found') return { kind: 'absent' };
    switch (shown['ActiveState']) {
      case 'active':
      case 'reloading':
        return { kind: 'running', pid: Number(shown['MainPID']), restarts: Number(shown['NRestarts']) };
      case 'activating':
        return { kind: 'starting' };
      case 'failed':
        return { kind: 'failed', reason: failure(shown) };
      default:
        return (await this.#isActive(SOCKET_UNIT))
          ? { kind: 'stopped', reason: 'it starts when the first app connects' }
          : { kind: 'stopped' };
    }
  }

  async #hasSocket(): Promise<boolean> {
    return (await this.#show(SOCKET_UNIT))['LoadState'] !== 'not-found';
  }

  async #isActive(unit: string): Promise<boolean> {
    return (await this.#show(unit))['ActiveState'] === 'active';
  }

  async #show(unit: string): Promise<Readonly<Record<string, string>>> {
    const names = 'LoadState,ActiveState,SubState,MainPID,NRestarts,Result,ExecMainStatus';
    const { stdout } = await this.#expect(systemctl('show', unit, `--property=${names}`));
    return Object.fromEntries(stdout.split('\n').map((line) => line.split(/=(.*)/s).slice(0, 2)));
  }

  async #isReached(): Promise<boolean> {
    try {
      await this.#reach();
      return true;
    } catch (error) {
      if (error instanceof LocalError) return false;
      throw error;
    }
  }

  /** Throws `LocalError` FOOTBRIDGE_NO_MANAGER that says why the user's manager cannot be talked to. */
  async #reach(): Promise<void> {
    const { code, stderr } = await this.#run(systemctl('show', '--property=Version'));
    if (code === 0) return;
    throw unreachable(this.#context, firstLine(stderr));
  }

  async #expect(command: Command): Promise<Ran> {
    const ran = await this.#run(command);
    if (ran.code === 0) return ran;
    throw new LocalError('FOOTBRIDGE_SERVICE', `"${command.join(' ')}" failed: ${firstLine(ran.stderr)}.`);
  }

  async #run(command: Command): Promise<Ran> {
    try {
      return await this.#context.run(command);
    } catch (error) {
      return { code: undefined, stdout: '', stderr: `${command[0]}: ${systemCode(error) ?? String(error)}` };
    }
  }
}

function units(socket: boolean): string[] {
  return socket ? [SERVICE_UNIT, SOCKET_UNIT] : [SERVICE_UNIT];
}

function systemctl(...words: readonly string[]): Command {
  return ['systemctl', '--user', ...words];
}

/** Without a name it is the caller. */
function lingering(verb: 'enable-linger' | 'disable-linger'): Command {
  return ['loginctl', verb];
}

/** Without its manager nobody can be asked to disable a unit; these links are all that enabling makes. */
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

/** What `Result` and the exit code say, in words; the numbers are those of the command line. */
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

/** Texts differ by language and version, so that only our own facts decide which advice is given. */
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
