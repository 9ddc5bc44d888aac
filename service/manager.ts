/** A program with its arguments. */
export type Command = readonly [string, ...string[]];

/** Name of a service manager in messages, receipts and `--json`. */
export type ServiceKind = 'systemd' | 'autostart' | 'launchd' | 'task-scheduler' | 'run-key';

/** The service that any manager runs in the background. All paths are absolute. */
export interface ServiceDefinition {
  /** Program and arguments in the form that `exec` takes, without quoting or expansion. */
  readonly argv: Command;
  /**
   * Variables that the service needs in addition to those of a login session, such as a configuration folder that only
   * a shell sets.
   */
  readonly env: Readonly<Record<string, string>>;
  /** Name of the core, for display to the user; `argv` already contains it for the program. */
  readonly core: string;
  /** Options of `run` in `argv` that the user set, by name without dashes. A later installation keeps them. */
  readonly flags: Readonly<Record<string, string>>;
  readonly version: string;
  /**
   * Whether the native calls load in the service. Without them the manager receives no readiness notification and no
   * keep-alives.
   */
  readonly native: boolean;
  /** Folder of the service's log, for a manager that stores no log. */
  readonly logFolder: string;
}

/** Options of the user in addition to the definition. */
export interface InstallOptions {
  /**
   * Whether to start the service now, or to restart it after a change. It is registered for the next login in any case.
   */
  readonly start: boolean;
  /** Whether the service continues to run while its user is not logged in, on systems that support this. */
  readonly linger: boolean;
  /**
   * Whether the manager listens at the endpoint itself, so that no app is refused while the bridge restarts; only
   * systemd supports it.
   */
  readonly socket: boolean;
  /** Whether to replace files that were edited after their installation. */
  readonly force: boolean;
}

/** A file of an installation. */
export interface PlannedFile {
  readonly path: string;
  readonly content: string | Uint8Array;
  readonly mode: number;
}

/** All steps of an installation in order, as `--print` displays them. Making a plan changes no file. */
export interface Plan {
  readonly kind: ServiceKind;
  readonly files: readonly PlannedFile[];
  /** Commands to run after the files are written: programs with their arguments. */
  readonly commands: readonly Command[];
}

/** Result of an installation. */
export interface Installed {
  readonly kind: ServiceKind;
  readonly change: 'new' | 'updated' | 'unchanged';
  /** Paths of the installation's files, whether or not they changed. */
  readonly files: readonly string[];
  /** The command line of the service. */
  readonly argv: readonly string[];
  readonly running: boolean;
  /** Notes for the user, one line each, such as a method that was not available and its substitute. */
  readonly notes: readonly string[];
}

/** Removed files and registrations. When nothing was installed, `files` is empty and `change` is `unchanged`. */
export interface Uninstalled {
  readonly change: 'removed' | 'unchanged';
  readonly files: readonly string[];
  readonly notes: readonly string[];
}

/** Status according to the service manager; whether the bridge answers is a separate question. */
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
  /** The manager has given up the service: it ended too often, or in a way that a restart would not repair. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** The service is installed but the manager does not answer. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** Location of the service's log: a program that prints it, our own files, or none yet. */
export type LogSource =
  | {
      readonly kind: 'command';
      readonly argv: Command;
      /** Advice for the case that the program fails. */
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
 * One way to run the bridge in the background for the calling user. Every call may be repeated: it is no error when the
 * requested state exists already. Throws `LocalError`: FOOTBRIDGE_SERVICE when the manager refuses,
 * FOOTBRIDGE_NO_MANAGER when no manager can be reached, FOOTBRIDGE_EDITED when a file was edited by hand, and
 * FOOTBRIDGE_NOT_INSTALLED from `start` and `restart`.
 */
export interface ServiceManager {
  readonly kind: ServiceKind;
  plan(definition: ServiceDefinition, options: InstallOptions): Plan;
  install(definition: ServiceDefinition, options: InstallOptions): Promise<Installed>;
  /** Stops the service and removes everything that the receipt names. */
  uninstall(options: { readonly force: boolean }): Promise<Uninstalled>;
  /** Starts the service; returns true when it was not running before. */
  start(): Promise<boolean>;
  /** Stops the service; returns true when it was running before. */
  stop(): Promise<boolean>;
  restart(): Promise<void>;
  status(): Promise<ServiceStatus>;
  logs(options: LogOptions): LogSource;
}

/** Result of a program. `code` is undefined for a program that was killed. */
export interface Ran {
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program without a shell. Rejects with the operating system's error when it cannot be started (`ENOENT`). */
export type Runner = (argv: Command) => Promise<Ran>;

/** Context of every manager: facts about the user's session, and the function that runs programs. */
export interface ServiceContext {
  /** Environment of the installing user; the managers do not read it from the process. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** Undefined on Windows. */
  readonly uid: number | undefined;
  readonly user: string;
  /** Folder of the receipt. */
  readonly stateFolder: string;
  readonly run: Runner;
  /**
   * Returns the pid of the bridge that answers, for a manager that only starts programs and does not know their pid.
   */
  readonly bridgePid?: () => Promise<number | undefined>;
}
