import { existsSync, statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import type { Installed, InstallOptions, Plan, ServiceDefinition } from '../../../service/manager.ts';
import { type Receipt, readReceipt } from '../../../service/receipt.ts';
import { isLocalError, LocalError } from '../../base/local-error.ts';
import { shellWord } from '../../base/shell-word.ts';
import { columns, styleFor } from '../../base/style.ts';
import { printable } from '../../base/text.ts';
import { ADDRESS_VARIABLES } from '../../control/bridge-variables.ts';
import { withCallableCommands } from '../../daemon/called-as.ts';
import { applicationFolders } from '../../daemon/config/folders.ts';
import { idleFlags } from '../../daemon/config/idle-flags.ts';
import { flagOf } from '../../daemon/config/keys.ts';
import { type Configuration, loadConfiguration } from '../../daemon/config/settings.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import type { Io } from '../../daemon/io.ts';
import { coreNames, isModulePath } from '../../daemon/module-path.ts';
import { version } from '../../daemon/version.ts';
import { printJson } from '../daemon-client.ts';
import { usage } from '../parse.ts';
import { currentManager } from './context.ts';
import { type DurableCopy, durableCopy, loadsNative } from './durable-copy.ts';
import { commandOf, ownProgram, whyTemporary } from './program.ts';
import { offerSandboxEndpoints, type SandboxOffer } from './sandbox-endpoints.ts';

/** Parsed options of `footbridge install`. */
export interface InstallValues {
  readonly core?: string | undefined;
  readonly fallback?: string | undefined;
  readonly 'bridge-port'?: string | undefined;
  readonly 'no-start'?: true | undefined;
  readonly linger?: true | undefined;
  readonly socket?: true | undefined;
  readonly endpoints?: true | undefined;
  readonly print?: true | undefined;
  readonly force?: true | undefined;
}

/** Options of `run` that `install` accepts. */
const RUN_FLAGS = ['core', 'fallback', 'bridge-port'] as const;

/**
 * Default core of a login service: `upstream` only passes apps on to the chat client, so a user who installs the
 * service sees no change.
 */
const DEFAULT_CORE = 'upstream';

/** Variables that select our folders; a login session has them, unlike variables that only a shell sets. */
const FOLDER_VARIABLES = ['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME'];

/** Runs `footbridge install`. */
export async function runInstall(values: InstallValues, json: boolean, io: Io): Promise<number> {
  refuseSudo(io, values.force === true || values.print === true);
  const { data } = applicationFolders();
  const receipt = readReceipt(data);
  const before = installedBefore(values, receipt);
  const options: InstallOptions = {
    start: values['no-start'] !== true,
    linger: values.linger === true,
    socket: values.socket === true || before.socket,
    force: values.force === true,
  };
  const newFlags = runFlagsOf(values);
  const requested = { ...before.flags, ...newFlags };
  const { flags, added } = await serviceFlags(requested, io);
  // Invalid settings fail here, not at the service's start.
  const configuration = await loadConfiguration(flags, folderVariables(io), applicationFolders());
  const { settings } = configuration;
  const { core } = settings;

  const own = ownProgram();
  const temporary = whyTemporary(own, io.env);
  const copy = temporary === undefined ? undefined : durableCopy(own, data);
  const isNew = values.print !== true && copy?.make() === true;
  const program = copy?.program ?? own;
  const definition: ServiceDefinition = {
    argv: commandOf(program, flags),
    env: folderVariables(io),
    core,
    flags: added,
    version: version(),
    native: await loadsNative(values.print === true ? own : program),
    logFolder: applicationFolders().log,
  };
  // Before anything is asked or changed.
  const manager = await currentManager(io);
  const notes = [
    ...shellOnly(io),
    ...before.notes,
    ...coreNotes(core, { chosenBy: chosenBy(requested, configuration), fallback: settings.fallback }),
    ...idleFlags(configuration),
    ...(await offerSandboxEndpoints(
      settings.endpoints,
      // An update does not ask what the first installation has asked.
      offerOf(values, io.interactive && !json && receipt === undefined),
      io,
    )),
    ...(definition.native
      ? []
      : [
          'The native calls (optional package koffi) are missing: apps are not checked by the kernel, and a hang is not noticed.',
        ]),
  ];
  if (values.print === true) {
    printPlan(manager.plan(definition, options), copy, json, notes, io);
    return ExitCode.OK;
  }
  const installed = await manager.install(definition, options).catch((error: unknown) => {
    // After a failed installation the copy is removed, except when the service was installed but does not start: it
    // still needs its program.
    if (isNew && !(isLocalError(error) && error.code === 'FOOTBRIDGE_SERVICE')) copy?.discard();
    throw error;
  });
  // Other copies are removed only after a start, because then nothing runs from them any longer.
  if (options.start) copy?.dropOthers();
  notes.unshift(
    ...installed.notes,
    ...(copy === undefined ? [] : [`This runs from ${temporary}, so the service has a copy: ${copy.folder}`]),
  );
  const { argv, ...outcome } = installed;
  if (json) printJson(io, { ...outcome, notes, core, program: argv, copy: copy?.folder ?? null });
  else printInstalled(installed, notes, definition, io);
  return ExitCode.OK;
}

function offerOf(values: InstallValues, canAsk: boolean): SandboxOffer {
  if (values.print === true) return 'mention';
  if (values.endpoints === true) return 'add';
  return canAsk ? 'ask' : 'mention';
}

/** Options of `run` in the parsed options of `install`. */
function runFlagsOf(values: InstallValues): Record<string, string> {
  const candidates = {
    core: values.core === undefined ? undefined : checkedCore(values.core),
    fallback: values.fallback,
    'bridge-port': values['bridge-port'],
  };
  return Object.fromEntries(
    Object.entries(candidates).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Options that an update takes over from the earlier installation, unless they are set again. */
interface InstalledBefore {
  readonly flags: Readonly<Record<string, string>>;
  readonly socket: boolean;
  readonly notes: readonly string[];
}

/**
 * Flags in a receipt. A receipt of an older version has no flags but only the core, with which the service was always
 * started.
 */
function flagsIn(receipt: Receipt | undefined): Readonly<Record<string, string>> {
  if (receipt === undefined) return {};
  return receipt.flags ?? (receipt.core === DEFAULT_CORE ? {} : { core: receipt.core });
}

/**
 * Options of `run` that belong to a core are taken over only with the same core; another core drops them, with a note.
 */
function installedBefore(values: InstallValues, receipt: Receipt | undefined): InstalledBefore {
  const known = Object.entries(flagsIn(receipt)).filter(([name]) => RUN_FLAGS.some((one) => one === name));
  const isSameCore = values.core === undefined || values.core === receipt?.core;
  const open = known.filter(([name]) => values[name as (typeof RUN_FLAGS)[number]] === undefined);
  const hadSocket = receipt?.files.some(({ path }) => path.endsWith('.socket')) === true;
  const socket = hadSocket && values.socket !== true;
  const openFlags = open.map(([name, value]) => `--${name} ${value}`);
  const inherited = [...(isSameCore ? openFlags : []), ...(socket ? ['--socket'] : [])];
  return {
    flags: isSameCore ? Object.fromEntries(open) : {},
    socket,
    notes: [
      ...(inherited.length === 0
        ? []
        : [
            `Kept from the earlier installation: ${inherited.join(' ')}. To change one, set it again; to start afresh, uninstall first.`,
          ]),
      ...(isSameCore || openFlags.length === 0
        ? []
        : [`Another core drops these options of the earlier installation: ${openFlags.join(' ')}.`]),
    ],
  };
}

/**
 * Options of `run` for the service, without those that the configuration file already sets, because an option would
 * overrule the file permanently. `added` omits a core that is only the default.
 */
async function serviceFlags(
  requested: Readonly<Record<string, string>>,
  io: Io,
): Promise<{ readonly flags: Record<string, string>; readonly added: Record<string, string> }> {
  const { keys } = await loadConfiguration({}, folderVariables(io), applicationFolders());
  const inFile = new Map<string, string>(
    keys.flatMap(({ key, value, origin }) => (origin.kind === 'file' ? [[flagOf(key), String(value)]] : [])),
  );
  const added = Object.fromEntries(
    Object.entries(requested).filter(([name, value]) => inFile.get(name) !== value),
  );
  const isChosen = requested['core'] !== undefined || inFile.has('core');
  return { flags: isChosen ? added : { core: DEFAULT_CORE, ...added }, added };
}

/** Origin of the core: the caller, the configuration file with its path, or the default. */
type ChosenBy = { readonly kind: 'caller' | 'default' } | { readonly kind: 'file'; readonly path: string };

function chosenBy({ core }: { readonly core?: string }, { keys }: Configuration): ChosenBy {
  const origin = keys.find(({ key }) => key === 'core')?.origin;
  if (origin?.kind === 'file') return { kind: 'file', path: origin.where };
  return { kind: core === undefined ? 'default' : 'caller' };
}

function checkedCore(core: string): string {
  if (!isModulePath(core)) {
    if (coreNames.some((name) => name === core)) return core;
    throw usage(
      `--core: ${JSON.stringify(core.slice(0, 60))} is none of ${coreNames.join(', ')}, nor the path of a module.`,
      {
        name: 'install',
      },
    );
  }
  const path = resolve(core);
  if (existsSync(path) && statSync(path).isFile()) return path;
  throw usage(`--core: there is no file ${JSON.stringify(path)}.`, { name: 'install' });
}

function refuseSudo({ env }: Io, anyway: boolean): void {
  const user = env['SUDO_USER'] ?? '';
  if (anyway || user === '' || process.getuid?.() !== 0) return;
  throw new LocalError(
    'FOOTBRIDGE_SERVICE',
    `With sudo this would install a service of root, which ${printable(user)}'s apps never meet. ` +
      'Run it without sudo, or give --force if root is who you mean.',
  );
}

function folderVariables({ env }: Io): Record<string, string> {
  const set = FOLDER_VARIABLES.map((name) => [name, env[name] ?? ''] as const);
  return Object.fromEntries(set.filter(([, value]) => isAbsolute(value)));
}

function shellOnly({ env }: Io): string[] {
  const names = Object.keys(env).filter(
    (name) => name.startsWith('FOOTBRIDGE_') && env[name] !== '' && !ADDRESS_VARIABLES.includes(name),
  );
  if (names.length === 0) return [];
  return [`The service does not see ${names.join(', ')} of this shell: put that into footbridge.toml.`];
}

function coreNotes(
  core: string,
  { chosenBy: by, fallback }: { readonly chosenBy: ChosenBy; readonly fallback: string | null },
): string[] {
  const fromFile =
    by.kind === 'file'
      ? [
          `The core is "${core}", as ${printable(by.path)} says: a change there takes effect at the next start.`,
        ]
      : [];
  if (core === 'emulator') {
    return [
      ...fromFile,
      'The emulator answers in place of your chat client: as long as this service runs, no app of yours reaches the real one.',
    ];
  }
  if (core !== 'upstream') return fromFile;
  const meanwhile =
    fallback === null
      ? 'There is no fallback: while none runs, apps get an error.'
      : `While none runs, the core "${fallback}" answers, as your configuration says (fallback).`;
  const chosen = by.kind === 'default' ? 'Without --core the core is "upstream": apps' : 'Apps';
  return [...fromFile, `${chosen} are passed on to the chat client that runs. ${meanwhile}`];
}

function printPlan(
  { files, commands, kind }: Plan,
  copy: DurableCopy | undefined,
  json: boolean,
  notes: readonly string[],
  io: Io,
): void {
  if (json) {
    const texts = files.map(({ path, content, mode }) => ({
      path,
      mode: mode.toString(8),
      content: textOf(content),
    }));
    return printJson(io, { kind, copy: copy?.folder ?? null, files: texts, commands, notes });
  }
  const style = styleFor(io.colour.out);
  if (copy !== undefined) io.out(`${style.faint(`# The program is copied to ${copy.folder}`)}\n\n`);
  for (const { path, content } of files) io.out(`${style.strong(`# ${path}`)}\n${textOf(content)}\n`);
  if (commands.length > 0) io.out(`${style.strong('# Then')}\n`);
  for (const command of commands) io.out(`${command.map(shellWord).join(' ')}\n`);
  printNotes(notes, io);
}

function textOf(content: string | Uint8Array): string {
  if (typeof content === 'string') return content;
  const utf16 = content[0] === 0xff && content[1] === 0xfe;
  return new TextDecoder(utf16 ? 'utf-16le' : 'utf-8').decode(content);
}

function printInstalled(
  installed: Installed,
  notes: readonly string[],
  { core }: ServiceDefinition,
  io: Io,
): void {
  const style = styleFor(io.colour.out);
  const { change, running, argv } = installed;
  const state = running ? 'it runs' : 'it starts with your next login; now: footbridge start';
  const head =
    change === 'unchanged' ? 'Already installed (unchanged)' : change === 'new' ? 'Installed' : 'Updated';
  const rows = [
    ['  managed by', installed.kind],
    ['  core', core],
    ...installed.files.map((path) => ['  file', path]),
    ['  runs', argv.join(' ')],
    ['  look', 'footbridge status'],
    ['  take away', 'footbridge uninstall'],
  ];
  const text = `${style.strong(style.good(head))}: ${state}.\n${columns(rows)}`;
  io.out(withCallableCommands(text, io.env));
  printNotes(notes, io);
}

function printNotes(notes: readonly string[], io: Io): void {
  for (const note of notes) {
    const text = withCallableCommands(printable(note), io.env);
    io.err(`${styleFor(io.colour.err).warn('note:')} ${text}\n`);
  }
}
