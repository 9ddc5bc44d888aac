import type { HasAuthorizations } from '../../api/caller.ts';
import type { HasViolations } from '../../api/violations.ts';
import type { Base } from '../../api/world.ts';
import type { HasApplications } from '../../applications/applications.ts';
import type { HasFileAddresses } from '../../files/addresses.ts';
import { readFiles, type SentFile } from '../../files/input-files.ts';
import { SettingError } from '../../kernel/errors.ts';
import { maxFileBytes } from '../../messages/attachments/uploads.ts';
import type { Message } from '../../messages/records.ts';
import { checkRevision } from '../../messages/revision.ts';
import { tablesOf } from '../../messages/write.ts';
import type { User } from '../../users/records.ts';
import type { HasActivities } from '../activities/activities.ts';
import { HANDLERS } from '../commands/definition.ts';
import { takesFile } from '../commands/file-types.ts';
import type { CommandRecord } from '../commands/records.ts';
import { UnregisteredCommand, usableCommands } from '../commands/visibility.ts';
import type { HasInteractions } from '../interactions.ts';
import { INTERACTION_TYPES, type Interaction, type InteractionData } from '../records.ts';
import { type Chooser, choose } from './choices.ts';
import { commandData, type FoundUse, findUse, readUse, resolvedBy, type Using } from './command-use.ts';
import { buttonOf, selectOf } from './component.ts';
import { fillIn } from './filled-modal.ts';
import type { Filled } from './input-values.ts';
import type { InteractionView } from './interaction-result.ts';
import { viewInteraction } from './interaction-view.ts';
import { locationFor, userFor } from './location.ts';
import { type Offer, type OfferedKind, offersFor } from './suggest.ts';

/** Services that these functions need. */
type Needs = Base &
  HasActivities &
  HasApplications &
  HasAuthorizations &
  HasFileAddresses &
  HasInteractions &
  HasViolations;

/** Maximum number of interactions in the list; the list has the newest ones. */
const MAX_LISTED = 50;

/** The acting user, by id or name; default: the logged-in user. */
export interface Playing {
  readonly user?: string | undefined;
}

/** A use of a message that the user has seen; an action on another revision of it is refused. */
export interface OnMessage extends Playing {
  readonly revision?: string | undefined;
}

/** Use of a command: its options and files, its user and its channel. */
export interface Use extends Playing, Using, Filled {}

/**
 * Actions of a simulated user: use commands, click, choose, and fill in modals. Each action begins an interaction that
 * the application must answer within 3 seconds. An action that the client does not offer fails with SettingError, and
 * the application receives nothing.
 */
export class UserActions {
  readonly #platform: Needs;
  readonly #base: () => string;

  /** `base` returns the base URL of the API, for files. */
  constructor(platform: Needs, base: () => string) {
    this.#platform = platform;
    this.#base = base;
  }

  /**
   * Uses a command of an application. Rejects with SettingError for input that the client does not offer, and with
   * ApiError 503 where the file storage is full.
   */
  async use(application: string, { user: named, ...using }: Use): Promise<Interaction> {
    const platform = this.#platform;
    const user = userFor(platform.world.tables, platform.world.me(), named);
    const found = this.#find(application, user, using);
    // The first pass only finds errors; the second pass uses the ids of the stored files.
    const first = readUse(platform, user, found, using);
    const rule = { maxBytes: maxFileBytes(platform) };
    const sent = [...first.files.keys()].map((name) => {
      const files = readFiles(name, using.files[name] ?? [], rule.maxBytes);
      if (files.length !== 1) {
        throw new SettingError(name, `takes one file, but got ${files.length === 0 ? 'none' : 'several'}`);
      }
      return [name, files] as const;
    });
    const storedIds = await this.#store(new Map(sent));
    const fileIds = new Map([...storedIds].map(([name, [id = '']]) => [name, id]));
    const { options } = fileIds.size === 0 ? first : readUse(platform, user, found, using, { fileIds });
    const isOwn = found.command.handler === HANDLERS.discord_launch_activity;
    const location = { application, user: user.id, channel: found.location.id };
    // The activity is launched before the interaction, so that no interaction exists without its activity.
    const instance = isOwn ? platform.activities.launch(location).id : undefined;
    const begun = platform.interactions.begin({
      ...location,
      type: INTERACTION_TYPES.command,
      data: commandData(found, options) as InteractionData,
      resolves: resolvedBy(platform, found, options),
      isOwn,
    });
    if (instance === undefined) return begun;
    platform.interactions.settle(begun.id, { kind: 'launched', instance });
    return this.get(begun.id);
  }

  /** Requests suggestions for an option that the user is typing. @throws SettingError */
  complete(application: string, option: string, { user: named, ...using }: Use): Interaction {
    const platform = this.#platform;
    const user = userFor(platform.world.tables, platform.world.me(), named);
    const found = this.#find(application, user, using);
    const { options } = readUse(platform, user, found, using, { focused: option });
    return platform.interactions.begin({
      application,
      user: user.id,
      channel: found.location.id,
      type: INTERACTION_TYPES.autocomplete,
      data: commandData(found, options) as InteractionData,
      resolves: {},
    });
  }

  /** Commands of all applications that a user may use in a channel. */
  commands(channel: string, user: User): readonly CommandRecord[] {
    return usableCommands(this.#platform, { channel, user: user.id });
  }

  /** What a select of users, roles or channels offers a user in a channel for a typed text. @throws SettingError */
  suggest(channel: string, user: User, kind: OfferedKind, text: string): readonly Offer[] {
    return offersFor(this.#chooser(user, channel), kind, text);
  }

  /** Clicks a button of a message; `name` is its custom id or label. @throws SettingError */
  click(messageId: string, name: string, how: OnMessage = {}): Interaction {
    const { message, from } = this.#at(messageId, how);
    const { type, id, custom_id } = buttonOf(message, name);
    return this.#platform.interactions.begin({ ...from, data: { component_type: type, custom_id, id } });
  }

  /** Chooses from a select of a message; `name` is its custom id. @throws SettingError */
  choose(messageId: string, name: string, choices: readonly string[], how: OnMessage = {}): Interaction {
    const { chooser, message, from } = this.#at(messageId, how);
    const select = selectOf(message, name);
    const { values, resolves } = choose(chooser, select, choices);
    const data = { component_type: select.type, custom_id: select.custom_id, id: select.id, values };
    return this.#platform.interactions.begin({ ...from, data, resolves });
  }

  /**
   * Fills in the modal that an interaction opened, and submits the modal. @throws SettingError, ApiError 503 when the
   * file storage is full
   */
  async submit(interactionId: string, input: Filled, { user }: Playing = {}): Promise<Interaction> {
    const { interactions, world } = this.#platform;
    const opened = this.get(interactionId);
    const modal = opened.state.kind === 'modal' ? opened.state.modal : undefined;
    if (modal === undefined) throw new SettingError('', `interaction ${opened.id} opened no modal`);
    const submitter = userFor(world.tables, world.me(), user ?? opened.user);
    if (submitter.id !== opened.user) {
      const owner = world.tables.users.get(opened.user)?.username ?? opened.user;
      throw new SettingError('user', `the modal of interaction ${opened.id} is ${owner}'s`);
    }
    this.#checkNotSubmitted(opened);
    const chooser = this.#chooser(submitter, opened.channel);
    const filled = fillIn(chooser, modal, input, {
      maxBytes: maxFileBytes(this.#platform),
      takes: takesFile,
    });
    const ids = await this.#store(filled.files);
    // Another call may have submitted the modal while the files were stored.
    this.#checkNotSubmitted(opened);
    return interactions.begin({
      application: opened.application,
      user: submitter.id,
      channel: opened.channel,
      type: INTERACTION_TYPES.modalSubmit,
      from: opened.id,
      data: { custom_id: modal.custom_id, components: filled.components(ids) },
      resolves: withFiles(filled.resolves, ids),
    });
  }

  /** Interaction by its id. @throws SettingError for an unknown or dropped interaction */
  get(id: string): Interaction {
    const found = this.#platform.interactions.get(id);
    if (found !== undefined) return found;
    throw new SettingError(
      '',
      `there is no interaction ${id.slice(0, 20)}; "emulator interactions" lists those that are stored`,
    );
  }

  /** Current result of an interaction. @throws SettingError */
  viewOf(id: string): InteractionView {
    return viewInteraction(this.#platform, this.#base(), this.get(id));
  }

  /** The newest interactions, oldest first. */
  list(): readonly InteractionView[] {
    const all = [...this.#platform.world.tables.interactions];
    return all.slice(-MAX_LISTED).map((one) => viewInteraction(this.#platform, this.#base(), one));
  }

  /**
   * Refuses a second submission of a modal. After a failed submission, another one is allowed, because the client then
   * keeps the modal open. @throws SettingError
   */
  #checkNotSubmitted({ id }: Interaction): void {
    const next = [...this.#platform.world.tables.interactions].find(
      ({ origin, state, type }) =>
        type === INTERACTION_TYPES.modalSubmit && origin.triggered_by?.id === id && state.kind !== 'failed',
    );
    if (next === undefined) return;
    throw new SettingError('', `the modal of interaction ${id} was submitted already: ${next.id}`);
  }

  /**
   * Stores files and returns their ids, both by the name of their field. Rejects with ApiError 503 when the storage is
   * full.
   */
  async #store(
    files: ReadonlyMap<string, readonly SentFile[]>,
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const ids = new Map<string, readonly string[]>();
    for (const [name, several] of files) {
      const stored = await Promise.all(several.map((file) => this.#platform.interactions.storeFile(file)));
      ids.set(
        name,
        stored.map(({ id }) => id),
      );
    }
    return ids;
  }

  #find(application: string, user: User, using: Using): FoundUse {
    try {
      return findUse(this.#platform, application, user, using);
    } catch (error) {
      if (error instanceof UnregisteredCommand) {
        const where = `${JSON.stringify(using.command)} of ${user.username}`;
        this.#platform.violations.add('unregistered-command', error.message, where);
      }
      throw error;
    }
  }

  #chooser(user: User, channel: string): Chooser {
    const { tables } = this.#platform.world;
    return { tables, user, location: locationFor(tables, user, channel) };
  }

  /**
   * Returns a message that the user can see and that has components of an application, and where an interaction with it
   * comes from. @throws SettingError, StaleRevision
   */
  #at(messageId: string, { user: named, revision }: OnMessage) {
    const { world, interactions } = this.#platform;
    const user = userFor(world.tables, world.me(), named);
    const message = interactions.message(messageId);
    const isOthers =
      message !== undefined &&
      world.tables.ephemeral_messages.has(message.id) &&
      message.interaction?.user !== user.id;
    if (message === undefined || isOthers) {
      const why = isOthers ? `, or not for ${user.username}: it is ephemeral for another user` : '';
      throw new SettingError('', `there is no message ${messageId.slice(0, 20)}${why}`);
    }
    const chooser = this.#chooser(user, message.channel);
    checkRevision(tablesOf(world.tables, message), message, revision);
    const { application } = message;
    if (application === undefined || !world.tables.applications.has(application)) {
      throw new SettingError(
        '',
        `message ${message.id} was not written by an application that can be notified of clicks`,
      );
    }
    const type = INTERACTION_TYPES.component;
    const from = { application, user: user.id, channel: message.channel, type, message: message.id };
    return { chooser, message: message as Message, from };
  }
}

function withFiles(
  resolves: Interaction['resolves'],
  ids: ReadonlyMap<string, readonly string[]>,
): Interaction['resolves'] {
  const attachments = [...ids.values()].flat();
  return attachments.length === 0 ? resolves : { ...resolves, attachments };
}
