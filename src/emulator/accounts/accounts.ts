import type { Application, Fixture, FixtureApplication, User } from '../fixture/fixture.ts';
import { isSnowflake } from '../fixture/snowflake.ts';

/** Finds a user by id. */
export function findUser(fixture: Fixture, id: string): User | undefined {
  return fixture.users.find((user) => user.id === id);
}

/** The part of an application that anybody may see: no secret, no redirects, no policy. */
export function publicApplication(application: FixtureApplication): Application {
  const { id, name, description, icon, cover_image, rpc_origins, partner } = application;
  return { id, name, description, icon, cover_image, rpc_origins, partner };
}

/** How an application came to be known. */
export type KnownApplication = {
  readonly origin: 'fixture' | 'first-sight';
  readonly record: FixtureApplication;
};

/** Most applications remembered on first sight; further ones work just as well but are not listed. */
const mostRemembered = 256;

/** Applications nobody wrote down: any snowflake is one, so that an app runs without being set up first. */
export class FirstSight {
  readonly #seen = new Set<string>();

  /** Looks an application up, and remembers an unlisted one unless the fixture is strict. */
  find(fixture: Fixture, clientId: string): KnownApplication | undefined {
    const record = fixture.applications.find((application) => application.id === clientId);
    if (record !== undefined) return { origin: 'fixture', record };
    if (fixture.strict || !isSnowflake(clientId)) return undefined;
    if (this.#seen.size < mostRemembered) this.#seen.add(clientId);
    return { origin: 'first-sight', record: unlisted(clientId) };
  }

  /** The remembered applications that the fixture does not list. */
  list(fixture: Fixture): FixtureApplication[] {
    if (fixture.strict) return [];
    const listed = new Set(fixture.applications.map((application) => application.id));
    return [...this.#seen].filter((id) => !listed.has(id)).map(unlisted);
  }

  clear(): void {
    this.#seen.clear();
  }
}

function unlisted(id: string): FixtureApplication {
  return {
    id,
    name: `Application ${id}`,
    description: '',
    icon: null,
    cover_image: null,
    rpc_origins: [],
    partner: false,
    secret: null,
    redirect_uris: [],
    consent: null,
  };
}
