// What a bot says, as the API has it, for libraries that take it so.
import { placesFor } from './bot-parts.ts';

/** For the moderation of {@link BotParts}. */
export const REASON = 'the rules';
/** A blue. */
export const BLUE = 0x3366ff;
/** The text file of the day. */
export const NOTES = Buffer.from('06:12 high');
/** What is drawn for `/chart`. */
export const CHART = Buffer.from('shoals');

/** The commands of a guild. */
export const COMMANDS = [
  {
    type: 1,
    name: 'tide',
    description: 'When the water is high',
    options: [
      { type: 3, name: 'place', description: 'Where', required: true, autocomplete: true },
      { type: 6, name: 'who', description: 'For whom' },
    ],
  },
  { type: 1, name: 'log', description: 'Write in the log' },
  {
    type: 1,
    name: 'chart',
    description: 'Of the place',
    options: [{ type: 11, name: 'file', description: 'The map' }],
  },
] as const;

/** A button and a select. */
export const ROWS = [
  { type: 1, components: [{ type: 2, style: 1, custom_id: 'sail', label: 'Sail' }] },
  {
    type: 1,
    components: [
      {
        type: 3,
        custom_id: 'port',
        options: placesFor('').map(({ name }) => ({ label: name, value: name })),
      },
    ],
  },
] as const;

/** The form of `/log`. */
export const MODAL = {
  custom_id: 'log',
  title: 'The log',
  components: [{ type: 1, components: [{ type: 4, custom_id: 'words', label: 'Words', style: 1 }] }],
} as const;

/** The embed, with a picture that comes along. */
export const EMBED = {
  title: 'Tide table',
  color: BLUE,
  fields: [
    { name: 'High', value: '06:12', inline: true },
    { name: 'Low', value: '12:20', inline: true },
  ],
  image: { url: 'attachment://tide.png' },
} as const;

/** Rights by their bits. */
export const RIGHTS = { view: 1n << 10n, send: 1n << 11n, manageMessages: 1n << 13n } as const;

/** When the regatta begins. */
export function tomorrow(): Date {
  return new Date(Date.now() + 86_400_000);
}

/** Guilds, members, calls, messages and what they say. */
export const INTENTS = (1 << 0) | (1 << 1) | (1 << 7) | (1 << 9) | (1 << 15);
