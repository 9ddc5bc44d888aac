import { ApiError } from '../api/api-error.ts';
import type { BotCaller } from '../api/caller.ts';
import type { Base } from '../api/world.ts';
import type { HasFileAddresses } from '../files/addresses.ts';
import type { AnyChannel, ChannelAccess } from '../guilds/channels/channel-access.ts';
import type { Viewer } from './answers.ts';
import type { Message } from './records.ts';

/** Services that these functions need. */
type Needs = Base & HasFileAddresses;

/** Viewer of a request's caller. */
export function viewerOf(
  { world, files }: Needs,
  { caller, base }: { readonly caller: BotCaller | undefined; readonly base: string },
): Viewer {
  const { tables } = world;
  return {
    tables,
    caller,
    address: (file) => files.of(base, tables.messages.get(file.message)?.channel ?? '0', file),
  };
}

/** A message of a channel. @throws ApiError 404 with code 10008 for an unknown message. */
export function messageIn({ world }: Needs, { channel }: ChannelAccess<AnyChannel>, id: string): Message {
  const message = world.tables.messages.get(id);
  if (message?.channel !== channel.id) throw new ApiError('UnknownMessage');
  return message;
}
