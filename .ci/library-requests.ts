// What libraries send otherwise than the platform's pages say, and how it is read: a table of REFERENCE.md.

/** A habit of libraries. */
export interface LibraryRequest {
  readonly libraries: readonly string[];
  readonly sent: string;
  readonly read: string;
  /** Test that names each library. */
  readonly test: string;
}

const FORMS = 'test/emulator/serve/http/form-payload.test.ts';
const PAYLOADS = 'test/emulator/serve/gateway/library-payloads.test.ts';
const IDS = 'test/emulator/serve/http/id-zero.test.ts';
const BODIES = 'test/emulator/serve/http/library-requests.test.ts';

/** Habits of libraries, which the tests named with them replay as raw requests. */
export const libraryRequests: readonly LibraryRequest[] = [
  {
    libraries: ['pycord'],
    sent: '`payload_json` in a form that is not multipart, with every answer to an interaction',
    read: 'as in multipart: it is the whole body',
    test: FORMS,
  },
  {
    libraries: ['hikari'],
    sent: '`payload_json` as a part of type application/octet-stream',
    read: 'the name of a part decides, not its type; `payload_json` may have a file name, too',
    test: FORMS,
  },
  {
    libraries: ['hikari'],
    sent: 'payloads of the gateway as binary messages',
    read: 'as text messages: JSON in UTF-8, at most 4096 bytes',
    test: PAYLOADS,
  },
  {
    libraries: ['hikari', 'detritus-client'],
    sent: 'opcode 4 without `self_mute` or `self_deaf`',
    read: 'false',
    test: PAYLOADS,
  },
  {
    libraries: ['discord.py', 'discord.js', 'disnake', 'hikari', 'discordgo'],
    sent: '0 as an id: `after=0`, the `id` of a new tag or prompt',
    read: 'an id that no record has',
    test: IDS,
  },
  {
    libraries: ['disnake', 'nextcord', 'pycord'],
    sent: '`send_start_notification` as false or 0 whenever a stage starts',
    read: 'a field that asks for nothing (null, false, 0, an empty text or list) counts as omitted where it is not offered',
    test: 'test/emulator/guilds/stages/stages.test.ts',
  },
  {
    libraries: ['discordgo'],
    sent: 'empty lists as null, also in options of commands, and the fields of a message in a modal and in choices',
    read: 'as omitted',
    test: BODIES,
  },
  {
    libraries: ['hikari'],
    sent: 'the bits of an overwrite as numbers',
    read: 'as their text',
    test: BODIES,
  },
  {
    libraries: ['pycord'],
    sent: 'the file of a voice message with the type application/octet-stream',
    read: 'a sound by its name, too',
    test: BODIES,
  },
  {
    libraries: ['linked-roles-sample'],
    sent: 'numbers in the `metadata` of a role connection',
    read: 'as text, like true, false and null; a value that is not of the kind of its field is refused',
    test: 'test/emulator/applications/role-connections.test.ts',
  },
];
