import { EventEmitter } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { Native } from '../../platform/native/native.ts';
import { currentOs, type OperatingSystem, operatingSystem } from '../../platform/operating-system.ts';
import { type ControlClient, controlClient } from '../../src/control/client.ts';
import type { Flags } from '../../src/daemon/config/settings.ts';
import type { ConsoleParts } from '../../src/daemon/console.ts';
import type { Io } from '../../src/daemon/io.ts';
import type { ReadyReport } from '../../src/daemon/ready.ts';
import { runDaemon } from '../../src/daemon/run.ts';
import type { RunProcess } from '../../src/daemon/run-process.ts';
import type { SignalledProcess } from '../../src/daemon/signals.ts';
import { AppPeer } from './app-peer.ts';
import { expectDeclared, isDeclared } from './declared-result.ts';
import { rawPeer } from './raw-peer.ts';
import { temporaryFolder, uid } from './sockets.ts';

/** An application that the built-in fixture knows. */
const APP = '300000000000000001';

/** A process whose signals a test sends, and whose end it sees. */
export class FakeProcess extends EventEmitter {
  readonly pid = 4321;
  readonly execArgv: string[] = [];
  readonly env: Record<string, string | undefined> = {};
  /** Operations that are in progress, as Node names them. */
  busy: readonly string[] = [];
  /** What has ended the process, the first of all. */
  readonly ends: string[] = [];
  readonly masks: number[] = [];
  readonly ended: Promise<string>;
  #end: (how: string) => void = () => {};

  constructor() {
    super();
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  readonly exit = (code: number): void => this.end(`exit ${code}`);

  end(how: string): void {
    this.ends.push(how);
    this.#end(how);
  }

  kill(pid: number, signal: string): void {
    this.end(`${signal} to ${pid}`);
  }

  umask(mask: number): void {
    this.masks.push(mask);
  }

  getActiveResourcesInfo(): readonly string[] {
    return this.busy;
  }

  /** The same for code that takes the real process. */
  get own(): SignalledProcess & Pick<NodeJS.Process, 'umask'> {
    return this as unknown as SignalledProcess & Pick<NodeJS.Process, 'umask'>;
  }
}

/** Folders of one user, in which bridges run. */
export interface RunPlace {
  readonly folder: string;
  readonly folders: RunProcess['folders'];
  /** Writes the configuration file. */
  readonly configure: (toml: string) => string;
  /** Writes another file, and returns its path. */
  readonly file: (name: string, text: string) => string;
}

/** Makes one, which is gone after the test. */
export function runPlace(): RunPlace {
  const folder = temporaryFolder();
  const folders = { config: join(folder, 'config'), data: join(folder, 'data'), log: join(folder, 'log') };
  mkdirSync(folders.config);
  const write = (path: string, text: string): string => {
    writeFileSync(path, text);
    return path;
  };
  return {
    folder,
    folders,
    configure: (toml) => write(join(folders.config, 'footbridge.toml'), toml),
    file: (name, text) => write(join(folder, name), text),
  };
}

/** How a bridge is run. */
export interface RunSetting {
  readonly place?: RunPlace;
  readonly flags?: Flags;
  readonly env?: Readonly<Record<string, string>>;
  readonly toml?: string;
  /** Default true. */
  readonly json?: boolean;
  /** A user in front of the bridge, who types into `stdin`. */
  readonly user?: boolean;
  /** A user reads stderr. */
  readonly terminal?: boolean;
  readonly reports?: ConsoleParts;
  /** Maximum number of open files. */
  readonly descriptorLimit?: number;
  /** Code of the error with which stdout cannot be written. */
  readonly stdoutFault?: string;
  /** Native calls that differ, or none at all. */
  readonly native?: Partial<Native> | 'absent';
}

/** A `footbridge run` in the process of the test. */
export interface BridgeRun {
  readonly place: RunPlace;
  readonly process: FakeProcess;
  /** The native calls that were made for the process itself. */
  readonly natively: readonly string[];
  readonly stdin: PassThrough;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** The lines of the log, without their time; of one message, if one is named. */
  readonly log: (message?: string) => readonly Readonly<Record<string, unknown>>[];
  /** What `run` gives. Rejects with the error that prevented the start. */
  readonly result: Promise<number>;
  /** Resolves when the bridge serves. Rejects as `result` does, or when the process ended before. */
  readonly serving: Promise<void>;
  readonly ready: () => ReadyReport;
  readonly control: ReturnType<typeof controlClient>;
  /** An app that has shaken hands. */
  readonly app: (clientId?: string) => Promise<AppPeer>;
  /** SIGTERM, and what has ended the process. */
  readonly stop: () => Promise<string>;
}

/** Runs a bridge and waits until it serves. It is stopped after the test. */
export async function bridgeRun(setting: RunSetting = {}): Promise<BridgeRun> {
  const run = await startRun(setting);
  await run.serving;
  return run;
}

/** Runs a bridge. */
export async function startRun(setting: RunSetting = {}): Promise<BridgeRun> {
  const { place = runPlace(), json = true, user = false, terminal = user } = setting;
  if (setting.toml !== undefined) place.configure(setting.toml);
  const env = {
    XDG_RUNTIME_DIR: place.folder,
    FOOTBRIDGE_HTTP_PORT: '0',
    FOOTBRIDGE_WS_PORT: 'off',
    FOOTBRIDGE_NOTIFICATIONS: 'false',
    ...setting.env,
  };
  const process = new FakeProcess();
  const texts = ['', '', ''];
  const natively: string[] = [];
  const os = await systemOf(process, natively, setting.native);
  let serve = (): void => {};
  const served = new Promise<void>((resolve) => {
    serve = resolve;
  });
  const stdin = new PassThrough();
  const io: Io = {
    env,
    stdin,
    out: () => {},
    err: () => {},
    outClosed: new AbortController().signal,
    outTaken: async () => {},
    colour: { out: false, err: false },
    terminal: { out: user, err: terminal },
    interactive: user,
  };
  const { reports = { doctor: async () => ({}), bugreport: async () => ({ name: '', text: '' }) } } = setting;
  const result = runDaemon({ flags: setting.flags ?? {}, json, reports }, io, {
    own: process.own,
    folders: place.folders,
    os: async () => os,
    descriptorLimit: setting.descriptorLimit,
    sink: (fd) => ({
      write(bytes) {
        if (fd === 1 && setting.stdoutFault !== undefined)
          return { kind: 'failed', code: setting.stdoutFault };
        texts[fd] += Buffer.from(bytes).toString('utf8');
        return { kind: 'written', bytes: bytes.byteLength };
      },
      close() {},
    }),
    releaseWhenIdle: serve,
  });
  result.catch(() => {});
  const stop = (): Promise<string> => {
    process.emit('SIGTERM');
    return process.ended;
  };
  onTestFinished(async () => {
    if (process.ends.length === 0) process.emit('SIGTERM');
    await result.catch(() => {});
  });
  const serving = Promise.race([served, result.then(endedEarly)]);
  serving.catch(() => {});
  const [stdout, stderr] = [() => texts[1] ?? '', () => texts[2] ?? ''];
  const ready = (): ReadyReport => JSON.parse(stdout()) as ReadyReport;
  return {
    place,
    process,
    natively,
    stdin,
    stdout,
    stderr,
    log: (message) => linesIn(stderr()).filter(({ msg }) => message === undefined || msg === message),
    result,
    serving,
    ready,
    control: judged(controlClient({ folder: { os: os.name, uid }, env })),
    async app(clientId = APP) {
      const path = join(place.folder, 'discord-ipc-0');
      const app = new AppPeer(await rawPeer(path));
      await app.handshake(clientId);
      return app;
    },
    stop,
  };
}

/** The lines of a log without what differs from run to run. */
export function linesIn(text: string): Readonly<Record<string, unknown>>[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const { time: _, ...rest } = JSON.parse(line) as Record<string, unknown>;
    return rest;
  });
}

/** A client that accepts no result of another shape than its operation declares; a core of a module declares none. */
function judged(client: ControlClient): ControlClient {
  const judge = (name: string, result: unknown): void => {
    if (isDeclared(name)) expectDeclared(name, result);
  };
  return {
    ...client,
    async call(name, args, options) {
      const result = await client.call(name, args, options);
      judge(name, result);
      return result;
    },
    async hold(name, args) {
      const held = await client.hold(name, args);
      judge(name, held.result);
      return held;
    },
  };
}

function endedEarly(): never {
  throw new Error('the process ended before it served');
}

/** This system, whose native calls that concern a whole process are only noted. */
async function systemOf(
  process: FakeProcess,
  natively: string[],
  changed: RunSetting['native'] = {},
): Promise<OperatingSystem> {
  const { name, uid, native } = await currentOs();
  if (native.kind === 'absent' || changed === 'absent')
    return operatingSystem(name, uid, { kind: 'absent', reason: 'no koffi' });
  const note = (call: string) => (): boolean => natively.push(call) > 0;
  return operatingSystem(name, uid, {
    ...native,
    limitCoreDumps: note('limitCoreDumps'),
    setNotDumpable: note('setNotDumpable'),
    endProcess: (code) => process.end(`natively ${code}`),
    ...changed,
  });
}
