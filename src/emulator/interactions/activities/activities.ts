import type { StateRule, Transaction, World } from '../../api/world.ts';
import { mayView } from '../../guilds/channels/access.ts';
import type { Clock, MachineClock } from '../../kernel/clock.ts';
import { SettingError } from '../../kernel/errors.ts';
import { locationId } from './location.ts';
import { findProxied, type Proxied } from './mapping.ts';
import { Pages, type Place } from './pages.ts';
import type { ActivityInstance } from './records.ts';

/** Who launches what, and where. All of them are ids. */
export interface Launch {
  readonly application: string;
  readonly user: string;
  readonly channel: string;
}

/** Where host pages are served, once they are. */
export interface ActivityDoor {
  /** Opens it with the first launch. Resolves to the port on loopback. */
  open(): Promise<number>;
}

/** Nobody is left in it: an instance ends. */
export const endEmptyInstances: StateRule = ({ activity_instances, activity_users }, commit) => {
  for (const { instance } of commit.of('activity_users').removed) {
    if (activity_users.by('instance', instance).size === 0) activity_instances.remove(instance);
  }
};

/** Activities that run, who is in them, and the pages in which they are shown. */
export class Activities {
  readonly #world: World;
  readonly #clock: Clock;
  readonly #pages: Pages;
  #door: ActivityDoor | undefined;

  constructor(world: World, clock: Clock, machine: MachineClock) {
    this.#world = world;
    this.#clock = clock;
    this.#pages = new Pages(clock, machine, ({ instance, user }) => this.leave(instance, user));
  }

  /** Says who serves the host pages. */
  serveBy(door: ActivityDoor): void {
    this.#door = door;
  }

  /** Whether an application has an activity: its path `/` is mapped. */
  isActivity(application: string): boolean {
    return this.#world.tables.url_mappings.has(application, '/');
  }

  /**
   * Lets a user into the activity of an application in a channel, which is launched unless it runs there.
   * @throws SettingError for an application without one, and where the user does not see the channel.
   */
  launch({ application, user, channel }: Launch): ActivityInstance {
    const { activity_instances } = this.#world.tables;
    if (!this.isActivity(application)) {
      const example = '[[url_mappings]] with its application, prefix = "/" and target = "127.0.0.1:5173"';
      throw new SettingError('', `application ${application} has no activity; give it one: ${example}`);
    }
    const guild = this.#guildOf(channel, user);
    // One in a channel: who launches it again comes into the one that runs.
    const running = [...activity_instances.by('application', application)].find(
      (one) => one.channel === channel,
    );
    const instance = running ?? this.#instance(application, channel, guild);
    this.#world.transaction((tables) => {
      if (running === undefined) tables.activity_instances.put(instance);
      tables.activity_users.put({ instance: instance.id, user });
    });
    return instance;
  }

  /** Takes a user out, whose pages end. False when they are not in it. */
  leave(instance: string, user: string): boolean {
    if (!this.#world.tables.activity_users.has(instance, user)) return false;
    this.#world.transaction(({ activity_users }) => activity_users.remove(`${instance} ${user}`));
    return true;
  }

  /** An instance of an application that runs. */
  instance(application: string, id: string): ActivityInstance | undefined {
    const found = this.#world.tables.activity_instances.get(id);
    return found?.application === application ? found : undefined;
  }

  /** Ids of who is in it: those who came, and whom the fixture lets take part in every one of the application. */
  users({ id, application }: ActivityInstance): readonly string[] {
    const { activity_users, participants } = this.#world.tables;
    const came = [...activity_users.by('instance', id)].map(({ user }) => user);
    const named = [...participants.by('application', application)].map(({ user }) => user);
    return [...new Set([...came, ...named])];
  }

  /**
   * Where the logged-in user finds the page of an instance that they are in; good once, for ten minutes. Undefined for anybody
   * else, whose client is another. @throws SettingError where nothing serves pages.
   */
  async address({ id, application }: ActivityInstance, user: string): Promise<string | undefined> {
    if (user !== this.#world.tables.me.value) return undefined;
    if (this.#door === undefined) throw new SettingError('', 'no page of an activity is served here');
    const port = await this.#door.open();
    if (!this.#world.tables.activity_users.has(id, user)) throw new SettingError('', 'they have left it');
    // A fragment is sent to nobody, and no log has it.
    return `http://${application}.localhost:${port}/.footbridge/activity#${this.#pages.invite(id, user)}`;
  }

  /** Uses up the key of an address or of a page; undefined for one that is not good, and for another application's. */
  enter(application: string, key: string): Place | undefined {
    return this.#pages.enter(key, (id) => this.instance(application, id));
  }

  /** Where a path of an application's page leads; undefined where nothing is mapped. */
  proxied(application: string, url: string): Proxied | undefined {
    return findProxied(this.#world.tables.url_mappings.by('application', application), url);
  }

  /** Ends the pages of who is no longer there. */
  follow({ events }: Transaction): void {
    for (const event of events) {
      if (event.table !== 'activity_users' || event.kind !== 'removed') continue;
      this.#pages.end(event.before.instance, event.before.user);
    }
  }

  /** Ends every page of who is not there. */
  recover(): void {
    this.#pages.endWhere(({ instance, user }) => !this.#world.tables.activity_users.has(instance, user));
  }

  close(): void {
    this.#pages.close();
  }

  #instance(application: string, channel: string, guild: string | null): ActivityInstance {
    const launch = this.#world.ids.next(this.#clock.now());
    return { id: `i-${launch}-${locationId({ guild, channel })}`, application, launch, channel, guild };
  }

  /** The guild of a channel that the user sees; null for a private one. */
  #guildOf(id: string, user: string): string | null {
    const { tables } = this.#world;
    const channel = tables.channels.get(id);
    if (channel !== undefined && mayView(tables, channel, user)) return channel.guild;
    if (tables.private_channels.get(id)?.recipients.includes(user)) return null;
    throw new SettingError('channel', `user ${user} sees no channel ${JSON.stringify(id.slice(0, 64))}`);
  }
}

/** Activities that run, and who is in them. */
export interface HasActivities {
  readonly activities: Activities;
}
