import { setTimeout as delay } from 'node:timers/promises';
import { activatedSocket } from '../../platform/endpoint/activation.ts';
import type { OperatingSystem } from '../../platform/operating-system.ts';
import { systemCodeText } from '../../platform/system-error-text.ts';
import { messageOf } from '../base/local-error.ts';
import { styleFor } from '../base/style.ts';
import { printable, printableJson } from '../base/text.ts';
import type { WaitingRequest } from '../emulator/api/waiting-request.ts';
import { Journal } from '../journal/journal.ts';
import { frameDeclarations } from '../protocol/declarations.ts';
import type { Logger } from '../server/options.ts';
import { calledAs } from './called-as.ts';
import { idleFlags } from './config/idle-flags.ts';
import { rulesOf } from './config/presence-rules.ts';
import { type Configuration, type Flags, loadConfiguration } from './config/settings.ts';
import type { ConsoleParts } from './console.ts';
import { onCrash } from './crash.ts';
import { ExitCode } from './exit-codes.ts';
import type { Io } from './io.ts';
import { LogDestination } from './log/destination.ts';
import { fileSink } from './log/file-sink.ts';
import { withoutFloods } from './log/flood.ts';
import { goesToJournal } from './log/journal.ts';
import { droppedLine, humanLogger, journalLogger, jsonLogger } from './log/logger.ts';
import { forgetManager, managerLink } from './manager.ts';
import { notifyDesktop } from './notify.ts';
import { readyReport, readyText, skippedText } from './ready.ts';
import { needsRestart, reloader } from './reload.ts';
import { ownProcess, type RunProcess } from './run-process.ts';
import { ignoreStraySignals, leave, type StopRequest, untilStopped } from './signals.ts';
import { type Daemon, startDaemon } from './start.ts';
import { watchRequests } from './watch-requests.ts';

/** Time from the stop signal to the end of the process, in every case (ms), without the log's last flush. */
const STOP_MS = 2300;
const FLUSH_MS = 100;
/** Time that a read of a file still has after the stop signal (ms). */
const LOAD_MS = 200;

/** Options of a run. */
export interface RunOptions {
  readonly flags: Flags;
  readonly json: boolean;
  /** Makes the reports of `footbridge doctor` and `bugreport`, for a console that the bridge itself serves. */
  readonly reports: ConsoleParts;
}

/** `footbridge run`: serves until a signal ends it. Throws the error that prevented the start. */
export async function runDaemon(options: RunOptions, io: Io, of: RunProcess = ownProcess()): Promise<number> {
  if (options.flags['log-files'] !== true) return serve(options, io, of);
  const files = new LogDestination(fileSink(of.folders.log), { droppedLine: droppedLine('json') });
  try {
    return await serve(options, io, of, files);
  } catch (error) {
    // With the log in files, no one reads stderr, so the error also goes to the log files.
    const reason = messageOf(error);
    files.write(
      `${printableJson({ level: 'error', time: Date.now(), reason, msg: 'the bridge did not start' })}\n`,
    );
    await files.flush(FLUSH_MS);
    throw error;
  }
}

async function serve(
  { flags, json, reports }: RunOptions,
  io: Io,
  of: RunProcess,
  files?: LogDestination,
): Promise<number> {
  const { folders, own } = of;
  ignoreStraySignals(undefined, own);
  own.umask(0o077);
  // When its terminal closes, SIGHUP ends the bridge. From a service manager, SIGHUP requests a reload.
  let onHangUp = (): void => {};
  const service = isService(flags, io);
  const stopped = untilStopped(service ? () => onHangUp() : undefined, own);

  const activated = activatedSocket(io.env);
  /** Whether the running bridge has read a file, without which its rules would end. */
  let hasFile = false;
  const load = async (again: boolean): Promise<Configuration> => {
    const loaded = await loadConfiguration(flags, io.env, folders, { again, service, required: hasFile });
    hasFile ||= loaded.file !== null;
    return loaded;
  };
  const configuration = await untilLoaded(load(false), stopped, of);
  if (configuration === undefined) return ExitCode.OK;
  const { settings } = configuration;
  const os = await of.os();
  if (os.native.kind === 'loaded') {
    // The memory of this process contains tokens, so core dumps are off and other processes of the same user have no
    // access.
    os.native.limitCoreDumps();
    os.native.setNotDumpable();
    if (activated !== undefined) os.native.closeOnExec(activated.fd);
  }
  const output = openOutput(json, io, of, files);
  let level = output.logger(settings.logLevel);
  const logger = delegating(() => level);
  output.out.onFailure((code) => {
    // EPIPE means that the reader has closed stdout. The bridge continues to serve apps.
    if (code !== 'EPIPE') logger.error({ reason: systemCodeText(code) }, 'stdout could not be written');
  });
  ignoreStraySignals((signal) => logger.debug({ reason: signal }, 'signal ignored'), own);
  for (const reason of idleFlags(configuration)) logger.warn({ reason }, 'a flag means nothing here');
  const manager = managerLink({
    env: { ...io.env },
    native: os.native,
    logger,
    strict: flags['service'] === true,
  });
  forgetManager(io.env);
  const flush = () => Promise.all([output.out.flush(FLUSH_MS), output.err.flush(FLUSH_MS)]);
  const end = (signal: StopRequest['signal']) =>
    flush().then(() => leave(ExitCode.OK, signal, os.native, own));
  void stopped.then(({ signal }) => {
    logger.info({ reason: signal }, 'stopping');
    manager.stopping();
    // This timer also covers a stop during the start, and does not depend on the core or on peers.
    setTimeout(() => void end(signal), STOP_MS);
  });
  let daemon: Daemon | undefined;
  onCrash((reason) => {
    logger.error({ reason }, 'defect: the bridge ends');
    daemon?.abandon();
  }, own);
  const chosen = configuration.keys.some(
    ({ key, origin }) => key === 'data_dir' && origin.kind !== 'default',
  );
  const data = { kind: 'folder', path: settings.dataDir, chosen } as const;
  const journal = new Journal({}, frameDeclarations());
  journal.turn(settings.journal ? 'on' : 'off');
  const worldJournal = (): Journal => {
    // A journal takes 8 MiB at most, and there may be many worlds.
    const own = new Journal({ entries: 1000, bytes: 1024 * 1024 }, frameDeclarations());
    own.turn(settings.journal ? 'on' : 'off');
    return own;
  };
  const started = await startDaemon({
    os,
    env: io.env,
    // A fixture is written for programs that are tested, and these use the HTTP API.
    settings: { ...settings, loadApi: settings.fixture === null ? 'authorize' : 'idle' },
    data,
    worldParts: () => ({ journal: worldJournal() }),
    places: { config: configuration.path, log: files === undefined ? null : folders.log },
    started: { folders, flags },
    logger,
    force: flags['force'] === true,
    journal,
    console: settings.console ? reports : undefined,
    activated,
    descriptorLimit: of.descriptorLimit,
    loadEndpoints: async () => (await load(true)).settings.endpoints,
    loadPresence: async () => rulesOf((await load(true)).settings),
  });
  daemon = started;
  onHangUp = reloader(async () => {
    const { settings: changed } = await load(true);
    await started.reload(changed);
    journal.turn(changed.journal ? 'on' : 'off');
    level = output.logger(changed.logLevel);
    const reason = needsRestart(settings, changed).join(', ');
    if (reason !== '') logger.warn({ reason }, 'settings that take effect at the next start');
  }, logger);
  await announce(daemon, {
    json,
    quiet: output.journal || (files !== undefined && !json),
    notify: settings.notifications ? os : undefined,
    consent: settings.consent,
    logger,
    write: (text) => output.out.write(text),
    io,
  });
  manager.ready(servingText(started.server));
  of.releaseWhenIdle(os.native);

  const { signal } = await stopped;
  await daemon.drain();
  await daemon.close();
  // The process ends even if the event loop still has work: that work has had its time.
  await end(signal);
  return ExitCode.OK;
}

/**
 * Waits for the configuration until a stop request; undefined when that comes first. An endless file must not delay the
 * end of the process.
 */
async function untilLoaded(
  loading: Promise<Configuration>,
  stopped: Promise<StopRequest>,
  { own, os }: RunProcess,
): Promise<Configuration | undefined> {
  const first = await Promise.race([loading, stopped]);
  if (!('signal' in first)) return first;
  loading.catch(() => {});
  const late = await Promise.race([loading.then(() => false), delay(LOAD_MS, true)]);
  if (late) await leave(ExitCode.OK, first.signal, (await os()).native, own);
  return undefined;
}

/**
 * Whether a service manager started this process. Terminals of a desktop session inherit the manager's variables, so a
 * process with a terminal is not a service.
 */
function isService(flags: Flags, { env, terminal }: Io): boolean {
  if (flags['service'] === true) return true;
  return !terminal.err && (env['INVOCATION_ID'] !== undefined || env['JOURNAL_STREAM'] !== undefined);
}

/** A logger that passes each call to the current one, so that the level can change after others have the logger. */
function delegating(current: () => Logger): Logger {
  return {
    debug: (fields, message) => current().debug(fields, message),
    info: (fields, message) => current().info(fields, message),
    warn: (fields, message) => current().warn(fields, message),
    error: (fields, message) => current().error(fields, message),
  };
}

/** Status line that the service manager displays. */
function servingText({ endpoints, core }: Daemon['server']): string {
  const paths = endpoints.flatMap(({ kind, path }) => (kind === 'ipc' ? path : []));
  return `Serving ${paths.join()} on the core "${core.name}"`;
}

interface Output {
  /** True if the log goes to the system's journal, which adds the time and reads a priority. */
  readonly journal: boolean;
  readonly out: LogDestination;
  readonly err: LogDestination;
  logger(level: Configuration['settings']['logLevel']): Logger;
}

/** Opens both streams with bounded queues: a reader that stops reading must not stop the bridge. */
function openOutput(json: boolean, io: Io, of: RunProcess, files: LogDestination | undefined): Output {
  const human = !json && files === undefined && io.terminal.err;
  const journal = !json && files === undefined && goesToJournal(io.env, 2);
  const out = new LogDestination(of.sink(1));
  const err =
    files ??
    new LogDestination(of.sink(2), {
      droppedLine: droppedLine(journal ? 'journal' : human ? 'human' : 'json'),
    });
  return {
    journal,
    out,
    err,
    logger: (level) => {
      if (journal) return withoutFloods(journalLogger(level, err));
      return withoutFloods(human ? humanLogger(level, err, io.colour.err) : jsonLogger(level, err));
    },
  };
}

interface Announcement {
  readonly json: boolean;
  /** True if no user is present who needs the instructions for stopping the bridge. */
  readonly quiet: boolean;
  /** Operating system whose desktop gets notifications of requests; undefined for none. */
  readonly notify: OperatingSystem | undefined;
  readonly consent: string;
  readonly logger: Logger;
  readonly write: (text: string) => void;
  readonly io: Io;
}

async function announce(
  daemon: Daemon,
  { json, quiet, notify, consent, logger, write, io }: Announcement,
): Promise<void> {
  const report = await readyReport(daemon);
  const passedOver = skippedText(daemon.skipped, report.endpoints, daemon.server.core.name);
  if ((json || quiet) && passedOver !== undefined) logger.warn({ reason: passedOver }, 'index 0 is taken');
  if (notify !== undefined) notifyOf(daemon, notify, io);
  if (quiet) return;
  if (json) {
    write(`${printableJson(report)}\n`);
    return;
  }
  const style = styleFor(io.colour.out);
  const called = calledAs(io.env);
  write(readyText(daemon, report, { consent, style, called }));
  if (passedOver !== undefined) write(`${style.warn(printable(passedOver))}\n`);
  if (daemon.onRequest === undefined) return;
  watchRequests(daemon, daemon.onRequest, {
    write,
    style,
    called,
    ...(io.interactive ? { input: io.stdin } : {}),
  });
}

function notifyOf(daemon: Daemon, { name, uid }: OperatingSystem, { env }: Io): void {
  if (daemon.onRequest === undefined) return;
  const decide = ({ id }: WaitingRequest, answer: 'once' | 'deny'): Promise<unknown> =>
    daemon.call(answer === 'once' ? 'requests.approve' : 'requests.deny', { id }, { via: 'notification' });
  notifyDesktop({ os: name, env, uid, onRequest: daemon.onRequest, decide });
}
