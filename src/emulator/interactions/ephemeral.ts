import type { Base, Reading, World, Writing } from '../api/world.ts';
import type { HasFileAddresses } from '../files/addresses.ts';
import type { HasAutoMod } from '../guilds/automod/automod.ts';
import type { Viewer } from '../messages/answers.ts';
import type { ComposedMessage } from '../messages/create.ts';
import type { Shelf } from '../messages/edit.ts';
import type { Message } from '../messages/records.ts';

// Messages for one person lie in tables of their own, where nothing else of the platform finds them.

/** The tables with those messages and their files in the place of the others. */
function aside<Tables extends Reading | Writing>(tables: Tables): Tables {
  const { ephemeral_messages: messages, ephemeral_attachments: attachments } = tables;
  return Object.assign(Object.create(tables) as Tables, { messages, attachments });
}

/** Where a message lies: among the others, or among those for one person. */
export function shelfOf(platform: Base & HasAutoMod, { id }: Pick<Message, 'id'>): Shelf {
  const { world, clock } = platform;
  if (!world.tables.ephemeral_messages.has(id)) return platform;
  return {
    world: {
      ids: world.ids,
      tables: aside(world.tables),
      transaction: <T>(change: (tables: Writing) => T) =>
        world.transaction((tables) => change(aside(tables))),
    } satisfies Pick<World, 'tables' | 'transaction' | 'ids'>,
    clock,
    // Nobody else reads it.
    automod: { check: () => () => {} },
  };
}

/** Writes a message for one person, in this transaction. */
export function insertEphemeral(tables: Writing, { message, files }: ComposedMessage): Message {
  tables.ephemeral_messages.insert(message);
  for (const file of files) tables.ephemeral_attachments.insert(file);
  return message;
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
  const tables = all.ephemeral_messages.has(message.id) ? aside(all) : all;
  return {
    tables,
    caller: undefined,
    address: (file) => files.of(base, message.channel, file),
  };
}
