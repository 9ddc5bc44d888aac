import * as z from 'zod';
import { type Dispatched, type GatewayListener, INTENTS } from '../api/dispatch.ts';
import type { Base, Reading } from '../api/world.ts';
import type { HasFileAddresses } from '../files/addresses.ts';
import type { ChannelAudience } from '../guilds/channels/message-audience.ts';
import { memberAnswer, memberShape } from '../guilds/members/answers.ts';
import { memberOf } from '../guilds/members/membership.ts';
import type { User } from '../users/records.ts';
import { userShape } from '../users/shapes.ts';
import { maySeeContent, messageAnswer, messageWithin, type Viewer } from './answers.ts';
import type { Message } from './records.ts';
import { messageShape } from './shapes.ts';

/** Services that these functions need. */
type Needs = Base & HasFileAddresses;

/** A member without its user. */
const besideShape = memberShape.omit({ user: true });

/** A message in gateway events. */
export const gatewayMessageShape = messageShape.extend({
  guild_id: z.optional(z.string()),
  channel_type: z.int(),
  member: z.optional(besideShape),
  mentions: z.array(userShape.extend({ member: z.optional(besideShape) })),
});

/** Viewer of a gateway session. The content is visible only if both the session and the application have the intent. */
function viewerOf({ world: { tables }, files }: Needs, listener: GatewayListener): Viewer {
  const { intents } = listener.application;
  const hasContentIntent = (listener.intents & INTENTS.MESSAGE_CONTENT) !== 0;
  const application =
    hasContentIntent || !intents.includes('message_content')
      ? listener.application
      : { ...listener.application, intents: intents.filter((one) => one !== 'message_content') };
  return {
    tables,
    caller: { user: tables.users.get(listener.user) as User, application },
    address: (file) => files.of(listener.base, tables.messages.get(file.message)?.channel ?? '0', file),
  };
}

/** Payload of a message per viewer class; viewers with equal rights to all that it shows share one encoding. */
export function messageDispatch(platform: Needs, audience: ChannelAudience, message: Message): Dispatched {
  const { tables } = platform.world;
  const { guild, channel, canSee } = audience;
  const within = messageWithin(tables, message);
  const shown = within ? [message, within] : [message];
  const isPersonal = shown.some((one) => dependsOnViewer(tables, one));
  return {
    guild,
    intents: [guild === undefined ? 'DIRECT_MESSAGES' : 'GUILD_MESSAGES'],
    canSee,
    sameFor: (listener) => {
      const viewer = viewerOf(platform, listener);
      const seen = shown.map((one) => maySeeContent(viewer, one)).join();
      return `${seen} ${listener.base} ${isPersonal ? listener.user : ''}`;
    },
    data: (listener) => {
      const { mentions, ...answer } = messageAnswer(viewerOf(platform, listener), message);
      return {
        ...answer,
        channel_type: channel.type,
        ...(message.nonce === undefined ? {} : { nonce: message.nonce }),
        ...(guild === undefined ? {} : { guild_id: guild, ...beside(tables, guild, message.author) }),
        mentions: mentions.map((user) => ({ ...user, ...beside(tables, guild, user.id) })),
      };
    },
  };
}

/** Whether a message's part of a payload depends on the viewer's own reactions, votes or thread membership. */
function dependsOnViewer({ reactions, channels }: Reading, { id, poll }: Message): boolean {
  return poll !== undefined || reactions.by('message', id).size > 0 || channels.has(id);
}

/** The field `member` with a user's membership, without the user object. */
function beside(
  tables: Reading,
  guild: string | undefined,
  userId: string | null,
): { readonly member?: z.output<typeof besideShape> } {
  const member = guild === undefined || userId === null ? undefined : memberOf(tables, guild, userId);
  if (member === undefined) return {};
  const { user: _user, ...rest } = memberAnswer(tables, member);
  return { member: rest };
}
