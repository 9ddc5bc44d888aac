import type { StateRule, Transaction, World } from '../../api/world.ts';
import { mayView } from '../../guilds/channels/access.ts';
import type { Clock, MachineClock } from '../../kernel/clock.ts';
import { SettingError } from '../../kernel/errors.ts';
import { findProxied, type Proxied } from './mapping.ts';
import { type HostPage, Pages } from './pages.ts';
import { type ActivityInstance, locationId } from './records.ts';

/** Ids of the application, the user and the channel for the launch of an activity. */
export interface Launch {
  readonly application: string;
  readonly user: string;
  readonly channel: string;
}

/** Server of the host pages. */
export interface ActivityPageServer {
  /** Opens the server's listener at the first launch. Resolves to the loopback port. */
  open(): Promise<number>;
}

/** State rule that ends an activity instance when its last user leaves. */
export const endEmptyInstances: StateRule = ({ activity_instances, activity_users }, commit) => {
  for (const { instance } of commit.of('activity_users').removed) {
    if (activity_users.by('instance', instance).size === 0) activity_instances.remove(instance);
  }
};

/** Running activities, their users, and their open host pages. */
export class Activities {
  readonly #world: World;
  readonly #clock: Clock;
  readonly #pages: Pages;
  #server: ActivityPageServer | undefined;

  constructor(world: World, clock: Clock, machine: MachineClock) {
    this.#world = world;
    this.#clock = clock;
    this.#pages = new Pages(clock, machine, ({ instance, user }) => this.leave(instance, user));
  }

  /** Sets the server of the host pages. */
  serveBy(server: ActivityPageServer): void {
    this.#server = server;
  }

  /** Whether an application has an activity, which means a URL mapping for the path `/`. */
  isActivity(application: string): boolean {
    return this.#world.tables.url_mappings.has(application, '/');
  }

  /**
   * Adds a user to the application's activity in a channel, which is launched unless it runs there.
   * @throws SettingError for an application without one, and where the user does not see the channel.
   */
  launch({ application, user, channel }: Launch): ActivityInstance {
    const { activity_instances } = this.#world.tables;
    if (!this.isActivity(application)) {
      const example = '[[url_mappings]] with its application, prefix = "/" and target = "127.0.0.1:5173"';
      throw new SettingError('', `application ${application} has no activity; give it one: ${example}`);
    }
    const guild = this.#guildOf(channel, user);
    // A channel has at most one instance of an application: a second launch joins the running instance.
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

  /** Removes a user from an instance and closes the user's pages. False for a user who is not in the instance. */
  leave(instance: string, user: string): boolean {
    if (!this.#world.tables.activity_users.has(instance, user)) return false;
    this.#world.transaction(({ activity_users }) => activity_users.remove(`${instance} ${user}`));
    return true;
  }

  /** A running instance of the given application. */
  instance(application: string, id: string): ActivityInstance | undefined {
    const found = this.#world.tables.activity_instances.get(id);
    return found?.application === application ? found : undefined;
  }

  /**
   * Ids of an instance's users: those who joined, and those whom the fixture puts into every instance of the
   * application.
   */
  users({ id, application }: ActivityInstance): readonly string[] {
    const { activity_users, participants } = this.#world.tables;
    const came = [...activity_users.by('instance', id)].map(({ user }) => user);
    const named = [...participants.by('application', application)].map(({ user }) => user);
    return [...new Set([...came, ...named])];
  }

  /**
   * URL of the logged-in user's page in an instance. It is valid once, for ten minutes. Undefined for other users, who
   * use another client. @throws SettingError if no server serves pages, or the user has left the instance.
   */
  async address({ id, application }: ActivityInstance, user: string): Promise<string | undefined> {
    if (user !== this.#world.tables.me.value) return undefined;
    if (this.#server === undefined) throw new SettingError('', 'pages of activities are not served here');
    const port = await this.#server.open();
    if (!this.#world.tables.activity_users.has(id, user))
      throw new SettingError('', 'the user has left the activity');
    // A fragment is never sent to a server, so no log contains it.
    return `http://${application}.localhost:${port}/.footbridge/activity#${this.#pages.invite(id, user)}`;
  }

  /**
   * Consumes the key of a URL or a page and returns its host page; undefined when the key is invalid or belongs to
   * another application.
   */
  enter(application: string, key: string): HostPage | undefined {
    return this.#pages.enter(key, (id) => this.instance(application, id));
  }

  /** Target of a path of an application's page; undefined where no mapping covers the path. */
  proxied(application: string, url: string): Proxied | undefined {
    return findProxied(this.#world.tables.url_mappings.by('application', application), url);
  }

  /** Closes the pages of users who have left. */
  follow({ events }: Transaction): void {
    for (const event of events) {
      if (event.table !== 'activity_users' || event.kind !== 'removed') continue;
      this.#pages.end(event.before.instance, event.before.user);
    }
  }

  /** Closes every page whose user is not in the instance. */
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

  /** Guild of a channel that the user can see; null for a private channel. */
  #guildOf(id: string, user: string): string | null {
    const { tables } = this.#world;
    const channel = tables.channels.get(id);
    if (channel !== undefined && mayView(tables, channel, user)) return channel.guild;
    if (tables.private_channels.get(id)?.recipients.includes(user)) return null;
    throw new SettingError('channel', `user ${user} sees no channel ${JSON.stringify(id.slice(0, 64))}`);
  }
}

/** Access to the running activities. */
export interface HasActivities {
  readonly activities: Activities;
}
