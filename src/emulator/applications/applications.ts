import { isSnowflake } from '../../base/snowflake.ts';
import type { Reading } from '../api/world.ts';
import { type Application, type ApplicationRecord, newApplication } from './records.ts';

/** The part of an application that anybody may see: no secret, no redirects, no policy. */
export function publicApplication(application: ApplicationRecord): Application {
  const { id, name, description, icon, cover_image, rpc_origins, partner } = application;
  return { id, name, description, icon, cover_image, rpc_origins, partner };
}

/** How an application came to be known. */
export type KnownApplication = {
  readonly origin: 'fixture' | 'first-sight';
  readonly record: ApplicationRecord;
};

/** Most applications remembered on first sight; further ones work just as well but are not listed. */
const mostRemembered = 256;

/** Applications nobody wrote down: any snowflake is one, so that an app runs without being set up first. */
export class FirstSight {
  readonly #tables: Pick<Reading, 'applications' | 'strict'>;
  readonly #seen = new Map<string, ApplicationRecord>();

  constructor(tables: Pick<Reading, 'applications' | 'strict'>) {
    this.#tables = tables;
  }

  /** Looks an application up, and remembers an unlisted one unless only listed ones are accepted. */
  find(clientId: string): KnownApplication | undefined {
    const { applications, strict } = this.#tables;
    const record = applications.get(clientId);
    if (record !== undefined) return { origin: 'fixture', record };
    if (strict.value || !isSnowflake(clientId)) return undefined;
    const seen = this.#seen.get(clientId) ?? newApplication(clientId, `Application ${clientId}`);
    if (this.#seen.size < mostRemembered) this.#seen.set(clientId, seen);
    return { origin: 'first-sight', record: seen };
  }

  /** The remembered applications that are not listed. */
  list(): ApplicationRecord[] {
    const { applications, strict } = this.#tables;
    if (strict.value) return [];
    return [...this.#seen.values()].filter(({ id }) => !applications.has(id));
  }

  clear(): void {
    this.#seen.clear();
  }
}

/** Gives what anybody may know about an application. Every session of one holds it: there is one copy for all of them. */
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

/** Finds an application that is written down, or that anybody may be where that is allowed. */
export interface HasApplications {
  readonly application: (clientId: string) => KnownApplication | undefined;
}
