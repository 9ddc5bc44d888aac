/** A program with its arguments. */
export type Command = readonly [string, ...string[]];

/** What a service manager is called in messages, receipts and `--json`. */
export type ServiceKind = 'systemd' | 'autostart' | 'launchd' | 'task-scheduler' | 'run-key';

/** What is to run in the background, whoever starts it. All paths are absolute. */
export interface ServiceDefinition {
  /** The program and its arguments, as an `exec` takes them: nothing in it is quoted or expanded. */
  readonly argv: Command;
  /** Variables it needs beyond those of a login session, such as a configuration folder that only a shell sets. */
  readonly env: Readonly<Record<string, string>>;
  /** Shown to the user; `argv` already says it to the program. */
  readonly core: string;
  /** Options of `run` in `argv` that somebody asked for, by name without dashes: a later installation keeps them. */
  readonly flags: Readonly<Record<string, string>>;
  readonly version: string;
  /** The native calls load there: without them the manager is not told when it is ready, nor that it is alive. */
  readonly native: boolean;
  /** Where its log goes when the manager keeps none. */
  readonly logFolder: string;
}

/** What the user asked for besides the definition. */
export interface InstallOptions {
  /** Start it now, and again when something changed. It is registered for the next login either way. */
  readonly start: boolean;
  /** Keep it running while its user is not logged in, where the system has that. */
  readonly linger: boolean;
  /** The manager holds the endpoint itself, so that nobody is refused while the bridge restarts; systemd alone. */
  readonly socket: boolean;
  /** Replace files that somebody edited since they were installed. */
  readonly force: boolean;
}

/** A file of an installation. */
export interface PlannedFile {
  readonly path: string;
  readonly content: string | Uint8Array;
  readonly mode: number;
}

/** Everything an installation would do, in order; `--print` shows it. Making one touches nothing. */
export interface Plan {
  readonly kind: ServiceKind;
  readonly files: readonly PlannedFile[];
  /** What is called once the files stand there: programs with their arguments. */
  readonly commands: readonly Command[];
}

/** How an installation ended. */
export interface Installed {
  readonly kind: ServiceKind;
  readonly change: 'new' | 'updated' | 'unchanged';
  /** The files of the installation, whether they changed or not. */
  readonly files: readonly string[];
  /** The command line that is started. */
  readonly argv: readonly string[];
  readonly running: boolean;
  /** One line each: what the user should know, such as a way that was closed and the one taken instead. */
  readonly notes: readonly string[];
}

/** What was taken away; no files and no change when nothing was installed. */
export interface Uninstalled {
  readonly change: 'removed' | 'unchanged';
  readonly files: readonly string[];
  readonly notes: readonly string[];
}

/** What the service manager itself says; whether the bridge answers is another question. */
export type ServiceStatus =
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'running';
      readonly pid?: number;
      /** How often the manager had to start it again. */
      readonly restarts?: number;
    }
  | { readonly kind: 'starting' }
  | { readonly kind: 'stopped'; readonly reason?: string }
  /** The manager gave it up: it ended too often, or in a way that another start would not mend. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** It is installed and the manager does not answer. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** Where the log of the service is: a program that prints it, files of ours, or nowhere yet. */
export type LogSource =
  | {
      readonly kind: 'command';
      readonly argv: Command;
      /** What to look at where that program fails. */
      readonly hint: string;
    }
  /** Oldest first. */
  | { readonly kind: 'files'; readonly paths: readonly string[] }
  | { readonly kind: 'none'; readonly reason: string };

/** Which part of the log. */
export interface LogOptions {
  readonly lines: number;
  readonly follow: boolean;
}

/**
 * One way of running the bridge in the background, for the user who calls it. Everything may be called twice: what is
 * already so is no failure. Throws `LocalError`: FOOTBRIDGE_SERVICE when the manager refuses, FOOTBRIDGE_NO_MANAGER
 * when there is none to talk to, FOOTBRIDGE_EDITED when a file was edited by hand, and FOOTBRIDGE_NOT_INSTALLED from
 * `start` and `restart`.
 */
export interface ServiceManager {
  readonly kind: ServiceKind;
  plan(definition: ServiceDefinition, options: InstallOptions): Plan;
  install(definition: ServiceDefinition, options: InstallOptions): Promise<Installed>;
  /** Stops it and takes away what the receipt names. */
  uninstall(options: { readonly force: boolean }): Promise<Uninstalled>;
  /** True when it was not running before. */
  start(): Promise<boolean>;
  /** True when it was running before. */
  stop(): Promise<boolean>;
  restart(): Promise<void>;
  status(): Promise<ServiceStatus>;
  logs(options: LogOptions): LogSource;
}

/** How a program ended. `code` is undefined when it was killed, or had to be. */
export interface Ran {
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program without a shell. Rejects with the system's error when it cannot be started (`ENOENT`). */
export type Runner = (argv: Command) => Promise<Ran>;

/** What every manager is made from: facts of the user's session, and the way to run programs. */
export interface ServiceContext {
  /** The environment of whoever installs; nothing below reads it from the process. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** Undefined on Windows. */
  readonly uid: number | undefined;
  readonly user: string;
  /** Where the receipt lies. */
  readonly stateFolder: string;
  readonly run: Runner;
  /** Which process answers as the bridge; for a manager that only starts things and knows no process. */
  readonly bridgePid?: () => Promise<number | undefined>;
}
