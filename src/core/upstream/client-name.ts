import { isNamed } from '../../presence/client-names.ts';
import type { ServingProgram } from './client-source.ts';

/** Names by the id of a package or by the name of an executable, in lower case. */
const BUILDS: Readonly<Record<string, string>> = {
  discord: 'stable',
  discordcanary: 'canary',
  discordptb: 'ptb',
  discorddevelopment: 'development',
  'discord-canary': 'canary',
  'discord-ptb': 'ptb',
  'discord-development': 'development',
  vencorddesktop: 'vesktop',
  armcord: 'legcord',
};

/** Builds that a user may name before one of them has run. */
export const KNOWN_BUILDS = [
  'stable',
  'canary',
  'ptb',
  'development',
  'vesktop',
  'legcord',
  'equibop',
  'goofcord',
  'webcord',
  'arrpc',
  'footbridge',
] as const;

const SANDBOX = /\/(?:app\/([^/]+)|\.flatpak\/([^/]+)\/xdg-run|snap\.([^/]+))\/[^/]+$/;

/** Interpreters, whose own name says nothing about a client. */
const INTERPRETER = /^(?:node(?:js)?|electron|bun|deno|python|java|wine(?:64)?(?:-preloader)?)[\d.]*$/;

/**
 * Name of the build of a chat client: by the folder of its socket, which a Flatpak or snap has for itself, else by its
 * program. A client of which neither is known has the name `client-N`, by the index of its endpoint. A program may choose
 * what the system reports about it, so the name is a label and gives no rights.
 */
export function buildName(path: string, program: ServingProgram | undefined): string {
  const [, app, flatpak, snap] = SANDBOX.exec(path) ?? [];
  const id = app ?? flatpak;
  const index = indexOf(path);
  const unknown = index === undefined ? 'client' : `client-${index}`;
  return buildOf(id?.split('.').at(-1) ?? snap) ?? buildOfProgram(program) ?? unknown;
}

function buildOfProgram({ exe, name }: Partial<ServingProgram> = {}): string | undefined {
  const [file = '', script] = (name ?? '').split(' ');
  if (INTERPRETER.test(file)) {
    // The folder of a script is unknown, so that a name such as index.js says nothing.
    const known = KNOWN_BUILDS.find((build) => script?.toLowerCase().includes(build));
    return (
      known ?? (exe === undefined ? undefined : KNOWN_BUILDS.find((one) => exe.toLowerCase().includes(one)))
    );
  }
  return buildOf(file);
}

function buildOf(text: string | undefined): string | undefined {
  const word = text
    ?.toLowerCase()
    .replace(/\.(?:bin|exe|appimage)$/, '')
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);
  return word === undefined || word === '' ? undefined : (BUILDS[word] ?? word);
}

function indexOf(path: string): string | undefined {
  return /discord-ipc-(\d+)$/.exec(path)?.[1];
}

/** Characters of a name, or of a pattern of names. */
const PATTERN = /^(?:user:(?:\d{1,20}|\*)|[a-z0-9*][a-z0-9*-]{0,59})$/i;

/** Whether a text can be the name of a client or a pattern of names. */
export function isPattern(text: string): boolean {
  return PATTERN.test(text);
}

/** Whether a client may be called by this pattern; `unknown` for an account that no READY has told yet. */
export function matches(
  pattern: string,
  { name, user }: { readonly name: string; readonly user: string | undefined },
): boolean | 'unknown' {
  const wanted = pattern.toLowerCase();
  if (!wanted.startsWith('user:')) return isNamed([wanted], [name]);
  return user === undefined ? 'unknown' : isNamed([wanted.slice(5)], [user]);
}
