import { didYouMean } from '../../../base/nearest.ts';
import type { HasAuthorizations } from '../../api/caller.ts';
import type { Base } from '../../api/world.ts';
import type { HasApplications } from '../../applications/applications.ts';
import type { ApplicationRecord } from '../../applications/records.ts';
import { permissionsIn } from '../../guilds/channels/access.ts';
import {
  type AnyChannel,
  accessToAnyChannel,
  type ChannelAccess,
} from '../../guilds/channels/channel-access.ts';
import { isDirect, isPrivate } from '../../guilds/channels/private-records.ts';
import { type ChannelRecord, isThread } from '../../guilds/channels/records.ts';
import { isIn, memberOf } from '../../guilds/members/membership.ts';
import { threadObstacle } from '../../guilds/threads/rules.ts';
import { SettingError } from '../../kernel/errors.ts';
import { CONTEXTS, INSTALLS, KINDS } from './definition.ts';
import { hasCommands, hasOwnCommands } from './installed.ts';
import { isPermitted } from './permitted.ts';
import type { CommandRecord } from './records.ts';

/** Services for checking access to commands. */
type Deciding = Base & HasApplications & HasAuthorizations;

/** A user in a channel, and the application whose commands the user may see. */
export interface Present {
  /** Id of the application. */
  readonly application: string;
  /** Id of a channel, in a guild or private. */
  readonly channel: string;
  /** Id of the user. */
  readonly user: string;
}

/** Refusal of a command that the application has not registered for the channel. */
export class UnregisteredCommand extends SettingError {}

/**
 * The command with this name and type ({@link KINDS}) in a channel; one of the guild goes before a global one.
 * @throws SettingError with the reason why there is none, or why the user may not use it there.
 */
export function findCommand(
  platform: Deciding,
  viewer: Present,
  name: string,
  kind: number = KINDS.chat_input,
): CommandRecord {
  const access = inView(platform, viewer);
  if (access === undefined) {
    throw new SettingError('', `user ${viewer.user} sees no channel ${JSON.stringify(viewer.channel)}`);
  }
  const application = platform.application(viewer.application)?.record;
  const quotedName = JSON.stringify(`${kind === KINDS.chat_input ? '/' : ''}${name.slice(0, 64)}`);
  const ofKind =
    application === undefined
      ? []
      : commandsOf(platform, application.id, access.channel).filter(({ type }) => type === kind);
  const named = ofKind.filter((command) => command.name === name);
  if (application === undefined || named.length === 0) {
    const names = [...new Set(ofKind.map((command) => command.name))];
    const meant = didYouMean(name, names);
    const others =
      names.length === 0
        ? 'it has registered none here. Does its bot run, with the address of this emulator?'
        : `it has ${names.slice(0, 8).join(', ')}.${meant}`;
    throw new UnregisteredCommand(
      '',
      `application ${viewer.application} has registered no ${nameOf(kind)} ${quotedName} for this channel: ${others}`,
    );
  }
  const refusals = named.map((command) =>
    refusalOf(platform, command, { access, application, user: viewer.user }),
  );
  const usable = named[refusals.indexOf(undefined)];
  if (usable !== undefined) return usable;
  throw new SettingError('', `${quotedName} cannot be used here: ${refusals[0]}`);
}

/**
 * Commands of all applications that a user may use in a channel, those of its guild first; a command of the guild
 * replaces a global one of the same name. Empty for a channel that the user does not see.
 */
export function usableCommands(
  platform: Deciding,
  viewer: Omit<Present, 'application'>,
): readonly CommandRecord[] {
  const access = inView(platform, viewer);
  if (access === undefined) return [];
  const { commands } = platform.world.tables;
  return [...new Set([...commands].map(({ application }) => application))].flatMap((id) => {
    const application = platform.application(id)?.record;
    if (application === undefined) return [];
    const where = { access, application, user: viewer.user };
    const usable = commandsOf(platform, id, access.channel).filter(
      (command) => refusalOf(platform, command, where) === undefined,
    );
    // The first of a name is the one of the guild.
    const names = new Set<string>();
    return usable.filter(({ type, name }) => names.size !== names.add(`${type} ${name}`).size);
  });
}

function nameOf(kind: number): string {
  const names: Readonly<Record<number, string>> = {
    [KINDS.chat_input]: 'command',
    [KINDS.user]: 'command for users',
    [KINDS.message]: 'command for messages',
    [KINDS.primary_entry_point]: 'entry point',
  };
  return names[kind] ?? 'command';
}

function inView(
  { world, clock }: Deciding,
  { channel, user }: Pick<Present, 'channel' | 'user'>,
): ChannelAccess<AnyChannel> | undefined {
  const requester = { id: user, bot: world.tables.users.get(user)?.bot ?? false };
  return accessToAnyChannel({ world, clock }, channel, requester);
}

/** Commands of the channel's guild, then the global commands. */
function commandsOf(
  { world: { tables } }: Deciding,
  application: string,
  channel: AnyChannel,
): CommandRecord[] {
  const guild = isPrivate(channel) ? undefined : channel.guild;
  const all = [...tables.commands.by('application', application)];
  return [...all.filter((one) => one.guild === guild), ...all.filter((one) => one.guild === null)];
}

interface Where {
  readonly access: ChannelAccess<AnyChannel>;
  readonly application: ApplicationRecord;
  readonly user: string;
}

/** Reason why a user may not use a command in a channel; undefined when the use is allowed. */
function refusalOf(platform: Deciding, command: CommandRecord, where: Where): string | undefined {
  const { channel } = where.access;
  const { application } = where;
  const context = contextOf(channel, application);
  if (command.contexts !== null && !command.contexts.includes(context)) {
    return `it is not for ${CONTEXT_TEXTS[context]}`;
  }
  if (!isInstalledFor(platform, command, where, context)) {
    return context === CONTEXTS.guild
      ? `application ${application.id} has been added neither to the guild nor to the user`
      : `application ${application.id} has not been added to the user`;
  }
  if (isPrivate(channel)) {
    // Private channels other than a direct message with the bot have no age confirmation.
    return command.nsfw && context !== CONTEXTS.bot_dm ? 'it is age-restricted' : undefined;
  }
  return refusalInGuild(platform, command, { ...where, channel });
}

const CONTEXT_TEXTS: Readonly<Record<number, string>> = {
  [CONTEXTS.guild]: 'channels of guilds',
  [CONTEXTS.bot_dm]: 'direct messages with its bot',
  [CONTEXTS.private_channel]: 'direct messages and groups of people',
};

/** Context of a channel in an interaction: 0 in a guild, 1 with the bot alone, 2 in other private channels. */
function contextOf(
  channel: AnyChannel,
  { id, bot_user }: Pick<ApplicationRecord, 'id' | 'bot_user'>,
): number {
  if (!isPrivate(channel)) return CONTEXTS.guild;
  const isWithBot = isDirect(channel) && channel.recipients.includes(bot_user ?? id);
  return isWithBot ? CONTEXTS.bot_dm : CONTEXTS.private_channel;
}

function isInstalledFor(
  platform: Deciding,
  { integration_types: types }: CommandRecord,
  { access: { channel }, application, user }: Where,
  context: number,
): boolean {
  const { world } = platform;
  if (types.includes(INSTALLS.user) && hasOwnCommands(platform, application, user)) return true;
  if (!types.includes(INSTALLS.guild)) return false;
  if (!isPrivate(channel)) return hasCommands(world, application, channel.guild);
  return context === CONTEXTS.bot_dm && sharesGuild(platform, application, user);
}

/** Whether a user shares a guild with the bot. */
function sharesGuild(
  { world: { tables } }: Deciding,
  { id, bot_user }: ApplicationRecord,
  user: string,
): boolean {
  return [...tables.members.by('user', bot_user ?? id)].some(({ guild }) => isIn(tables, guild, user));
}

function refusalInGuild(
  { world: { tables }, clock }: Deciding,
  command: CommandRecord,
  { access: { may }, user, channel }: Where & { readonly channel: ChannelRecord },
): string | undefined {
  const obstacle = threadObstacle({ channel, may }, 'change');
  if (obstacle !== undefined) return `the thread is ${obstacle}`;
  const member = memberOf(tables, channel.guild, user);
  const parent = isThread(channel) ? tables.channels.get(channel.parent ?? '') : undefined;
  if (member === undefined || !may('USE_APPLICATION_COMMANDS')) {
    return 'the user has no permission USE_APPLICATION_COMMANDS in this channel';
  }
  if (
    command.type === KINDS.user &&
    !may(parent === undefined ? 'SEND_MESSAGES' : 'SEND_MESSAGES_IN_THREADS')
  ) {
    return 'the user may not write in this channel';
  }
  if (command.nsfw && !(parent ?? channel).nsfw) return 'it is age-restricted, and the channel is not';
  const isAllowed = isPermitted(tables, command, {
    guild: channel.guild,
    user,
    roles: member.roles,
    bits: permissionsIn(tables, channel, user, clock.now()),
    channels: parent === undefined ? [channel.id] : [channel.id, parent.id],
  });
  return isAllowed ? undefined : 'the permissions of the command do not let the user, or not in this channel';
}
