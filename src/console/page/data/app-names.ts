import { shortId } from '../../../journal/describe.ts';
import type { Peer } from '../../../journal/exchange.ts';
import type { SessionStatus, Status } from './status.ts';

/** Number of colours `--app-0`, `--app-1`, … in the style sheet. */
const COLOURS = 8;

/** Names of applications, also of those that have ended. */
export class AppNames {
  readonly #names = new Map<string, string>();
  readonly #programs = new Map<string, Set<string>>();
  /** Grows with each new name, so that a reader can notice it. */
  version = 0;

  /** Stores the name of an application. */
  learn(app: string, name: string): void {
    if (this.#names.get(app) === name) return;
    this.#names.set(app, name);
    this.version += 1;
  }

  /** Learns the names of the connected apps. */
  learnAll({ sessions }: Status): void {
    for (const session of sessions.filter(isOfProgram)) {
      const { clientId, application } = session;
      if (clientId === null) continue;
      if (application !== null && application !== undefined) this.learn(clientId, application);
      const programs = this.#programs.get(clientId) ?? new Set();
      this.#programs.set(clientId, programs.add(programText(session)));
    }
  }

  /** Programs that were seen as an application. */
  programsOf(app: string): readonly string[] {
    return [...(this.#programs.get(app) ?? [])];
  }

  /** Name of an application; undefined while it is unknown. */
  of(app: string | undefined): string | undefined {
    return app === undefined ? undefined : this.#names.get(app);
  }

  /** Name, else the id of the application, else the beginning of the session's id; empty for entries without a sender. */
  text({ app, session }: Peer): string {
    return this.of(app) ?? app ?? (session === undefined ? '' : shortId(session));
  }
}

/** Whether a session is of a program, and not one in which the console itself sends by hand. */
export function isOfProgram({ transport, program }: SessionStatus): boolean {
  return transport !== 'memory' || !isOurs(programName(program ?? ''));
}

/** Name of a program without the path of its executable: `node app.mjs` of `node app.mjs, /usr/bin/node`. */
export function programName(text: string): string {
  return text.split(', ', 1)[0] ?? '';
}

/** Whether a program is the command line or the console of the bridge. */
export function isOurs(program: string): boolean {
  return /(?:^|[ /])footbridge(?:\.js|\.exe)?$/.test(program);
}

/** Program of a session with its pid. */
export function programText({ program, pid }: SessionStatus): string {
  return `${program ?? 'unknown'}${pid === null ? '' : ` (${pid})`}`;
}

/** Number of the colour of an application or a session: always the same for the same id. */
export function colourOf({ app, session }: Peer): number | undefined {
  const id = app ?? session;
  if (id === undefined) return undefined;
  // Ids of applications that were made together differ in their last digits only.
  let sum = 0;
  for (let at = 0; at < id.length; at += 1) sum = (Math.imul(sum, 31) + id.charCodeAt(at)) >>> 0;
  return sum % COLOURS;
}
