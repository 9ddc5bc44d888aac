// What a library does in the day of a bot: each function is one step, in the library's own manner, from plain values to plain
// values, so that a library of another language takes part, too. What came of it is looked at in bot-steps.ts.

/** A message and where it stands. */
export interface MessagePlace {
  readonly channel: string;
  readonly id: string;
}

/** The steps of a bot's day; ids are strings. Files are in base64. */
export type BotParts = {
  /** Logs in with its token; resolves once it is ready. Answers its user name. */
  login(): Promise<string>;
  /** Asks the gateway for all members of the guild. Answers what it knows of the guild. */
  cache(guild: string): Promise<CachedGuild>;
  /** Waits for somebody's message with the text `said`, and replies to it. */
  reply(said: string, answer: string): Promise<MessagePlace>;
  /** Sends `low`, edits it to `high`, and reacts with 🌊. */
  message(channel: string): Promise<MessagePlace>;
  /** Writes to a person. */
  direct(user: string, text: string): Promise<MessagePlace>;
  /** Deletes messages of others in one call. */
  purge(channel: string, messages: readonly string[]): Promise<void>;
  /**
   * Makes the role `crew` (colour 0x3366ff, hoisted, mentionable, with MANAGE_MESSAGES), gives it to the person, sets their roles to it
   * and `other` at once, and takes `other`. Answers the role's id.
   */
  roles(guild: string, user: string, other: string): Promise<string>;
  /**
   * Makes the text channel `deck` in the category, then gives it the topic `On deck` and a slowmode of 5 s, and moves it to
   * position 0. Answers its id.
   */
  channels(guild: string, category: string): Promise<string>;
  /**
   * Lets the role view the channel but not write, the person write; then takes the person's again.
   */
  overwrites(channel: string, role: string, user: string): Promise<void>;
  /**
   * Starts the thread `Tide` at the message, adds the person, writes `Rising` in it, archives it, unarchives it, and locks it.
   * Answers its id.
   */
  threads(message: MessagePlace, user: string): Promise<string>;
  /** Makes the forum `logs` with the tags High and Low, and in it the post `Monday` with the tag Low and the text `All well`. */
  forum(guild: string): Promise<{ readonly forum: string; readonly post: string }>;
  /**
   * Sends `tide table.png`, described as `The tide`, and `notes.txt` with the text `06:12 high`; then edits the message so that
   * only the picture stays.
   */
  files(channel: string, png: string): Promise<MessagePlace>;
  /** Sends an embed: title `Tide table`, colour 0x3366ff, two inline fields (High 06:12, Low 12:20), the picture `tide.png` that comes with it. */
  embeds(channel: string, png: string): Promise<MessagePlace>;
  /**
   * Sends a message with the button `sail` (label Sail) and the select `port` (Harbour, Mouth). A click changes the message to
   * `NAME sails` without components; a choice is answered for the person alone, `To VALUE`.
   */
  components(channel: string): Promise<MessagePlace>;
  /**
   * Puts the first person in timeout and lifts it, kicks the second, bans the third and deletes their messages, lists the bans
   * and lifts the ban: each with the reason `the rules`. Answers the ids of the banned.
   */
  moderation(guild: string, people: readonly [string, string, string]): Promise<readonly string[]>;
  /** Moves the person to the channel, mutes them on the server, and says where its cache has them. */
  voice(guild: string, user: string, channel: string): Promise<string>;
  /** Takes the person out of the call. */
  hangUp(guild: string, user: string): Promise<void>;
  /**
   * Registers for the guild `/tide` (place: a string with autocomplete, who: a user), `/log` and `/chart` (file: an
   * attachment). Each is answered: `/tide` with `PLACE for NAME`, `/log` with the modal of {@link BotParts.modals}.
   */
  commands(guild: string): Promise<void>;
  /** Of Harbour, Headland and Mouth, those that begin with what was typed, are offered for `place`. */
  autocomplete(): Promise<void>;
  /** The modal `log` (title The log) has the text field `words`; it is answered with `Written: WORDS`. */
  modals(): Promise<void>;
  /** `/chart` is deferred, then answered with `Chart of FILENAME` and the file `chart.txt` with the text `shoals`. */
  commandFiles(): Promise<void>;
  /** Makes an invite for an hour and two uses, lists those of the channel, and deletes it. Answers the codes listed. */
  invites(channel: string): Promise<{ readonly code: string; readonly listed: readonly string[] }>;
  /** Makes the webhook `Tide table`, lists those of the channel, renames it to `Tides`. */
  webhooks(channel: string): Promise<{ readonly id: string; readonly listed: readonly string[] }>;
  /** Through the webhook: `High water` by `Buoy` with an embed (title Now) and the file `notes.txt` (`06:12 high`); edited to `Low water`. */
  webhookMessages(hook: Hook): Promise<MessagePlace>;
  /** Plans the event `Regatta` in the voice channel tomorrow, renames it to `Race`, and begins it. Answers its id. */
  events(guild: string, channel: string): Promise<string>;
  /** Pins the message, and lists what is pinned. Answers the ids. */
  pins(message: MessagePlace): Promise<readonly string[]>;
  /** Searches the guild. Answers the ids of the messages found. */
  search(guild: string, text: string): Promise<readonly string[]>;
  /** How often it resumed, and the texts of others that it was told, in order. */
  resume(): Promise<{ readonly resumed: number; readonly heard: readonly string[] }>;
};

/** What a library knows of a guild. */
export interface CachedGuild {
  readonly name: string;
  readonly channels: number;
  readonly roles: number;
  readonly members: number;
}

/** A webhook as a library is given it. */
export interface Hook {
  readonly id: string;
  readonly token: string;
  readonly channel: string;
  readonly url: string;
}

/** For a step whose work a listener does that was made on the way in. */
export const listens = (): Promise<void> => Promise.resolve();

/** What is offered for what was typed. */
export function placesFor(typed: string): { readonly name: string; readonly value: string }[] {
  const places = ['Harbour', 'Headland', 'Mouth'];
  return places.filter((name) => name.startsWith(typed)).map((name) => ({ name, value: name }));
}
