import { isSnowflake } from '../../base/snowflake.ts';
import type { Reading } from '../api/world.ts';
import { type Application, type ApplicationRecord, newApplication } from './records.ts';

/** The public part of an application: it has no secret, no redirect addresses and no policy. */
export function publicApplication(application: ApplicationRecord): Application {
  const { id, name, description, icon, cover_image, rpc_origins, partner } = application;
  return { id, name, description, icon, cover_image, rpc_origins, partner };
}

/** An application and its origin. */
export type KnownApplication = {
  readonly origin: 'fixture' | 'first-sight';
  readonly record: ApplicationRecord;
};

/**
 * Maximum number of remembered applications. Further unlisted applications work as well, but do not appear in lists.
 */
const maxRemembered = 256;

/**
 * The application as which a Footbridge speaks for its operator, such as in `footbridge voice`. Every emulator has it,
 * also with a strict fixture; a fixture that lists the id replaces it. A snowflake of the year 2083, which no platform has
 * issued.
 */
export const footbridgeApplication = { id: '9100000000000000001', name: 'Footbridge' } as const;

/** Unlisted applications. Any snowflake is the id of one, so that an app runs without setup. */
export class SeenApplications {
  readonly #tables: Pick<Reading, 'applications' | 'strict'>;
  readonly #seen = new Map<string, ApplicationRecord>();

  constructor(tables: Pick<Reading, 'applications' | 'strict'>) {
    this.#tables = tables;
  }

  /** Finds an application, and remembers an unlisted one unless the fixture is strict. */
  find(clientId: string): KnownApplication | undefined {
    const { applications, strict } = this.#tables;
    const record = applications.get(clientId);
    if (record !== undefined) return { origin: 'fixture', record };
    const isOurs = clientId === footbridgeApplication.id;
    if ((strict.value && !isOurs) || !isSnowflake(clientId)) return undefined;
    const name = isOurs ? footbridgeApplication.name : `Application ${clientId}`;
    const seen = this.#seen.get(clientId) ?? newApplication(clientId, name);
    if (this.#seen.size < maxRemembered) this.#seen.set(clientId, seen);
    return { origin: 'first-sight', record: seen };
  }

  /** The remembered applications that the fixture does not list. */
  list(): ApplicationRecord[] {
    const { applications, strict } = this.#tables;
    if (strict.value) return [];
    return [...this.#seen.values()].filter(({ id }) => !applications.has(id));
  }

  clear(): void {
    this.#seen.clear();
  }
}

/** Returns a function that makes the public part of an application. Sessions of one application share one copy. */
export function publicCopies(): (record: ApplicationRecord) => Application {
  const copies = new WeakMap<ApplicationRecord, Application>();
  return (record) => {
    const known = copies.get(record);
    if (known !== undefined) return known;
    const copy = publicApplication(record);
    copies.set(record, copy);
    return copy;
  };
}

/** Finds an application by id: a listed one or, unless the fixture is strict, any snowflake. */
export interface HasApplications {
  readonly application: (clientId: string) => KnownApplication | undefined;
  /** Name of the world that the emulator is; undefined outside of worlds. */
  readonly worldName?: string | undefined;
}
