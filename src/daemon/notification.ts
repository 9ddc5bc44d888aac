import type { OsName } from '../../platform/endpoint/endpoints.ts';
import { styleFor } from '../base/style.ts';
import { printable } from '../base/text.ts';
import type { WaitingRequest } from '../emulator/api/waiting-request.ts';
import { requestText } from './request-text.ts';

/** A program with its arguments. It runs without a shell. */
export type Command = readonly [string, ...string[]];

const REQUEST_TITLE = 'Footbridge: an app waits for you';

/** Maximum length of an application's name; a longer one would push the command out of view. */
const NAME_LENGTH = 60;
const TEXT_LENGTH = 400;
/**
 * Maximum length of a text that every desktop shows in full. A longer text gets no buttons, because users must not
 * allow a text that they could not read.
 */
const WHOLE_LENGTH = 1000;

/**
 * The program that displays a request as a notification, with the command to type and no button; undefined on a system
 * without a known program.
 */
export function notification(os: OsName, request: WaitingRequest): Command | undefined {
  return plainNotification(os, notificationText(request));
}

/** The program that displays a text that waits for no answer; undefined on a system without a known program. */
export function plainNotification(os: OsName, text: string, title = REQUEST_TITLE): Command | undefined {
  if (os === 'darwin') {
    const script = [
      'on run argv',
      'display notification (item 1 of argv) with title "Footbridge"',
      'end run',
    ];
    return ['osascript', ...script.flatMap((line) => ['-e', line]), text];
  }
  return os === 'linux' ? notifySend([], text, title) : undefined;
}

/**
 * The program that displays a request with the full text of the terminal prompt and two buttons. The program waits, and
 * prints the name of the pressed button, `allow` or `deny`. Undefined for a text that is too long for a notification.
 */
export function notificationWithButtons(request: WaitingRequest): Command | undefined {
  const text = `${requestText(request, styleFor(false)).trim()}\nTo type: footbridge approve ${request.id}`;
  if (Array.from(text).length > WHOLE_LENGTH) return undefined;
  return notifySend(['--action=allow=Allow once', '--action=deny=Deny'], text, REQUEST_TITLE);
}

/** The program that queries what the notification server on a session bus can display. */
export function capabilitiesCommand(bus: string): Command {
  const name = 'org.freedesktop.Notifications';
  const args = ['call', name, '/org/freedesktop/Notifications', name, 'GetCapabilities'];
  return ['busctl', `--address=${bus}`, '--json=short', '--timeout=2', ...args];
}

/** Whether the desktop displays a body text and buttons, according to the printed capabilities. */
export function supportsButtons(printed: string): boolean {
  try {
    const [capabilities] = (JSON.parse(printed) as { readonly data: readonly (readonly string[])[] }).data;
    return ['body', 'actions'].every((one) => capabilities?.includes(one));
  } catch {
    return false;
  }
}

/** notify-send reads no options after `--`. The body is markup, and a backslash is special in it. */
function notifySend(options: readonly string[], text: string, title: string): Command {
  const body = text.replace(/\\/g, '?').replace(/[&<>]/g, (sign) => ENTITIES[sign] ?? sign);
  return ['notify-send', '--app-name=Footbridge', ...options, '--', title, body];
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** The command comes first, so that a long name cannot push it out of view. */
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

/** Cuts between whole characters: half of a surrogate pair would display as a box. */
function shortened(text: string, length: number): string {
  const signs = Array.from(text);
  return signs.length <= length ? text : `${signs.slice(0, length - 1).join('')}…`;
}
