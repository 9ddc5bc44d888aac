import type { Base, World, Writing } from '../api/world.ts';
import type { HasFileAddresses } from '../files/addresses.ts';
import type { HasAutoMod } from '../guilds/automod/automod.ts';
import type { Viewer } from '../messages/answers.ts';
import type { MessageStore } from '../messages/edit.ts';
import type { Message } from '../messages/records.ts';
import { apart, tablesOf } from '../messages/write.ts';

// Ephemeral messages have their own tables, which no other operation of the platform reads.

/** The tables that store a message: the public tables, or those of ephemeral messages. */
export function messageStoreOf(platform: Base & HasAutoMod, { id }: Pick<Message, 'id'>): MessageStore {
  const { world, clock } = platform;
  if (!world.tables.ephemeral_messages.has(id)) return platform;
  return {
    world: {
      ids: world.ids,
      tables: apart(world.tables),
      transaction: <T>(change: (tables: Writing) => T) =>
        world.transaction((tables) => change(apart(tables))),
    } satisfies Pick<World, 'tables' | 'transaction' | 'ids'>,
    clock,
    // AutoMod does not check ephemeral messages.
    automod: { check: () => () => {} },
  };
}

/** Viewer of a message whose reader holds the token of its interaction. */
export function viewerOfAnswers(
  { world: { tables: all }, files }: Pick<Base, 'world'> & HasFileAddresses,
  base: string,
  message: Message,
): Viewer {
  return {
    tables: tablesOf(all, message),
    publicTables: all,
    caller: undefined,
    address: (file) => files.of(base, message.channel, file),
  };
}
