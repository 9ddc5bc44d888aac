import type { Base, World, Writing } from '../api/world.ts';
import type { HasFileAddresses } from '../files/addresses.ts';
import type { HasAutoMod } from '../guilds/automod/automod.ts';
import type { Viewer } from '../messages/answers.ts';
import type { Shelf } from '../messages/edit.ts';
import type { Message } from '../messages/records.ts';
import { apart } from '../messages/write.ts';

// Messages for one person lie in tables of their own, where nothing else of the platform finds them.

/** Where a message lies: among the others, or among those for one person. */
export function shelfOf(platform: Base & HasAutoMod, { id }: Pick<Message, 'id'>): Shelf {
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
    // Nobody else reads it.
    automod: { check: () => () => {} },
  };
}

/** Takes a message away, wherever it lies. */
export function deleteAnswer({ world }: Pick<Base, 'world'>, { id }: Message): void {
  world.transaction(({ messages, ephemeral_messages, ephemeral_attachments }) => {
    messages.remove(id);
    if (!ephemeral_messages.remove(id)) return;
    for (const file of [...ephemeral_attachments.by('message', id)]) ephemeral_attachments.remove(file.id);
  });
}

/** With what whoever has the token of an interaction looks at a message that answers it. */
export function viewerOfAnswers(
  { world: { tables: all }, files }: Pick<Base, 'world'> & HasFileAddresses,
  base: string,
  message: Message,
): Viewer {
  const tables = all.ephemeral_messages.has(message.id) ? apart(all) : all;
  return {
    tables,
    caller: undefined,
    address: (file) => files.of(base, message.channel, file),
  };
}
