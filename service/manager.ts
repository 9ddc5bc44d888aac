/** A program with its arguments. */
export type Command = readonly [string, ...string[]];

/** Name of a service manager in messages, receipts and `--json`. */
export type ServiceKind = 'systemd' | 'autostart' | 'launchd' | 'task-scheduler' | 'run-key';

/** The service to run in the background, with any manager. All paths are absolute. */
export interface ServiceDefinition {
  /** The program and its arguments, as an `exec` accepts them: without quoting or expansion. */
  readonly argv: Command;
  /** Variables it needs beyond those of a login session, such as a configuration folder that only a shell sets. */
  readonly env: Readonly<Record<string, string>>;
  /** Displayed to the user; `argv` has it already for the program. */
  readonly core: string;
  /** Options of `run` in `argv` that the user set, by name without dashes: a later installation retains them. */
  readonly flags: Readonly<Record<string, string>>;
  readonly version: string;
  /** The native calls load there: without them the manager gets no readiness notification and no keep-alives. */
  readonly native: boolean;
  /** Folder of its log for a manager that stores none. */
  readonly logFolder: string;
}

/** The user's options besides the definition. */
export interface InstallOptions {
  /** Starts it now, and again after a change. It is registered for the next login either way. */
  readonly start: boolean;
  /** Leaves it running while its user is not logged in, where the system supports that. */
  readonly linger: boolean;
  /** The manager holds the endpoint itself, so that no app is refused while the bridge restarts; systemd alone. */
  readonly socket: boolean;
  /** Replaces files that were edited since their installation. */
  readonly force: boolean;
}

/** A file of an installation. */
export interface PlannedFile {
  readonly path: string;
  readonly content: string | Uint8Array;
  readonly mode: number;
}

/** Every step of an installation, in order; `--print` displays it. Making a plan changes no file. */
export interface Plan {
  readonly kind: ServiceKind;
  readonly files: readonly PlannedFile[];
  /** Commands to run once the files are in place: programs with their arguments. */
  readonly commands: readonly Command[];
}

/** Result of an installation. */
export interface Installed {
  readonly kind: ServiceKind;
  readonly change: 'new' | 'updated' | 'unchanged';
  /** The files of the installation, whether they changed or not. */
  readonly files: readonly string[];
  /** The command line of the service. */
  readonly argv: readonly string[];
  readonly running: boolean;
  /** One line each: notes for the user, such as a method that was not available and its substitute. */
  readonly notes: readonly string[];
}

/** Removed files and registrations; no files and no change when nothing was installed. */
export interface Uninstalled {
  readonly change: 'removed' | 'unchanged';
  readonly files: readonly string[];
  readonly notes: readonly string[];
}

/** Status by the service manager itself; a probe of the bridge is a separate question. */
export type ServiceStatus =
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'running';
      readonly pid?: number;
      /** Number of restarts by the manager. */
      readonly restarts?: number;
    }
  | { readonly kind: 'starting' }
  | { readonly kind: 'stopped'; readonly reason?: string }
  /** The manager gave it up: it ended too often, or in a way that a restart would not repair. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** The service is installed but the manager does not answer. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** Location of the service's log: a program that prints it, files of ours, or none yet. */
export type LogSource =
  | {
      readonly kind: 'command';
      readonly argv: Command;
      /** Advice where that program fails. */
      readonly hint: string;
    }
  /** Oldest first. */
  | { readonly kind: 'files'; readonly paths: readonly string[] }
  | { readonly kind: 'none'; readonly reason: string };

/** Part of the log. */
export interface LogOptions {
  readonly lines: number;
  readonly follow: boolean;
}

/**
 * One way of running the bridge in the background, for the user who calls it. Every call may be repeated: an existing
 * state is no failure. Throws `LocalError`: FOOTBRIDGE_SERVICE when the manager refuses, FOOTBRIDGE_NO_MANAGER without
 * a reachable manager, FOOTBRIDGE_EDITED when a file was edited by hand, and FOOTBRIDGE_NOT_INSTALLED from `start` and
 * `restart`.
 */
export interface ServiceManager {
  readonly kind: ServiceKind;
  plan(definition: ServiceDefinition, options: InstallOptions): Plan;
  install(definition: ServiceDefinition, options: InstallOptions): Promise<Installed>;
  /** Stops it and removes everything that the receipt names. */
  uninstall(options: { readonly force: boolean }): Promise<Uninstalled>;
  /** True when it was not running before. */
  start(): Promise<boolean>;
  /** True when it was running before. */
  stop(): Promise<boolean>;
  restart(): Promise<void>;
  status(): Promise<ServiceStatus>;
  logs(options: LogOptions): LogSource;
}

/** End of a program. `code` is undefined for a program that was killed. */
export interface Ran {
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program without a shell. Rejects with the system's error when it cannot be started (`ENOENT`). */
export type Runner = (argv: Command) => Promise<Ran>;

/** Context of every manager: facts of the user's session, and the means to run programs. */
export interface ServiceContext {
  /** The environment of the installing user; no code below reads it from the process. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** Undefined on Windows. */
  readonly uid: number | undefined;
  readonly user: string;
  /** Folder of the receipt. */
  readonly stateFolder: string;
  readonly run: Runner;
  /** The process that answers as the bridge; for a manager that only starts programs and knows no process. */
  readonly bridgePid?: () => Promise<number | undefined>;
}
