import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment, OsName } from '../../platform/endpoints.ts';
import { printable } from '../../platform/text.ts';
import type { WaitingRequest } from '../emulator/people/request.ts';

/** A program with its arguments; no shell reads it. */
type Command = readonly [string, ...string[]];

/** Runs one and says whether it worked; `missing` when there is no such program. Never rejects. */
type Run = (command: Command) => Promise<'done' | 'failed' | 'missing'>;

/** What the notifier needs of its surroundings. */
export interface NotifierOptions {
  readonly os: OsName;
  readonly env: Environment;
  /** For tests. */
  readonly run?: Run;
}

/** A notification server that hangs must not gather processes. */
const MOST_AT_ONCE = 4;
const PATIENCE_MS = 5000;
/** A name longer than this pushes the command out of sight. */
const NAME_LENGTH = 60;
const TEXT_LENGTH = 400;

/**
 * Tells the desktop of a request, with the command that answers it and no button: whoever else can click would answer.
 * Without a desktop it does nothing, and asks again at the next request: a service may start before its session.
 */
export function desktopNotifier(options: NotifierOptions): (request: WaitingRequest) => void {
  const { os, env, run = runQuietly(env) } = options;
  let running = 0;
  let missing = false;
  return (request) => {
    if (missing || running >= MOST_AT_ONCE || !hasDesktop(os, env)) return;
    const command = notification(os, request);
    if (command === undefined) return;
    running += 1;
    void run(command).then((outcome) => {
      running -= 1;
      missing ||= outcome === 'missing';
    });
  };
}

function hasDesktop(os: OsName, env: Environment): boolean {
  const isSet = (name: string): boolean => (env[name] ?? '') !== '';
  if (os === 'darwin') return !isSet('SSH_CONNECTION');
  if (os !== 'linux') return false;
  // A service is often started without the variables of the session that came up beside it.
  const runtime = env['XDG_RUNTIME_DIR'] ?? '';
  return (
    isSet('DISPLAY') || isSet('WAYLAND_DISPLAY') || (runtime !== '' && existsSync(join(runtime, 'wayland-0')))
  );
}

/** The program that shows it; undefined where none is known. */
export function notification(os: OsName, request: WaitingRequest): Command | undefined {
  const text = notificationText(request);
  if (os === 'darwin') {
    const script = [
      'on run argv',
      'display notification (item 1 of argv) with title "Footbridge"',
      'end run',
    ];
    return ['osascript', ...script.flatMap((line) => ['-e', line]), text];
  }
  if (os !== 'linux') return undefined;
  // What stands behind -- is no option, whatever it begins with. The body is markup, and a backslash is special in it.
  const body = text.replace(/\\/g, '?').replace(/[&<>]/g, (sign) => ENTITIES[sign] ?? sign);
  return ['notify-send', '--app-name=Footbridge', '--', 'Footbridge: an app waits for you', body];
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** The command comes first, so that a long name cannot push it out of sight. */
function notificationText(request: WaitingRequest): string {
  const wish =
    request.kind === 'authorization'
      ? `asks for ${request.scopes.map(({ name }) => name).join(', ')}`
      : `asks: ${request.what}`;
  const name = shortened(request.applicationName, NAME_LENGTH);
  const text =
    `To answer: footbridge approve ${request.id}, or footbridge deny ${request.id}. ` +
    `"${name}" (application ${request.clientId}) ${wish}.`;
  return printable(shortened(text, TEXT_LENGTH));
}

/** By whole characters: half of one is shown as a box. */
function shortened(text: string, length: number): string {
  const signs = Array.from(text);
  return signs.length <= length ? text : `${signs.slice(0, length - 1).join('')}…`;
}

function runQuietly(env: Environment): Run {
  return ([file, ...args]) =>
    new Promise((resolve) => {
      // Here: most bridges never have a request.
      const { execFile } = process.getBuiltinModule('node:child_process');
      const child = execFile(file, args, { env, timeout: PATIENCE_MS, windowsHide: true }, (error) =>
        resolve(error === null ? 'done' : error.code === 'ENOENT' ? 'missing' : 'failed'),
      );
      child.stdin?.end();
      // A notification that hangs is no reason to stay.
      child.unref();
    });
}
