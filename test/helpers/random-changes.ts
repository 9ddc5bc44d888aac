import { botTokenOf } from '../../src/emulator/applications/bot.ts';
import { defaultFixture } from '../../src/emulator/compose/fixture/default.ts';
import type { Fixture } from '../../src/emulator/compose/fixture/fixture.ts';
import { applyPatch } from '../../src/emulator/compose/fixture/patch.ts';
import { FixtureError, SettingError } from '../../src/emulator/kernel/errors.ts';
import { BEGINNERS, bitsOf } from '../../src/emulator/kernel/permission-bits.ts';
import { StateError } from '../../src/emulator/kernel/state/state-error.ts';
import type { Message } from '../../src/emulator/messages/records.ts';
import type { Random } from '../fuzz/random.ts';
import type { AskedPlatform, Asker } from './asked-platform.ts';
import { ids } from './emulator-world.ts';
import { patch } from './patched.ts';

const ADMIN = ids.harbourExample;
/** Bots: one that may do everything, and two that may do what roles and overwrites permit. */
export const BOTS = [ADMIN, ids.lighthouse, '300000000000000003'] as const;
const PEOPLE = [ids.river, ids.heron, ids.otter] as const;
const GUILD = `/guilds/${ids.riverBank}`;
const CREW = '801';
const NEWS = '500000000000000003';
const DIRECT = '510000000000000001';
const WRITTEN = ['610000000000000001', '610000000000000002', '610000000000000003'] as const;
const ASKED = '610000000000000004';
const CONTENTS = [
  'another plain text',
  'a plain text',
  `hello <@${ids.otter}>`,
  `<@${ids.lighthouse}> look`,
  `<@&${CREW}> and <@!${ids.heron}>`,
  '@everyone look',
] as const;
const POLL = { question: 'x', answers: [{ id: 1, text: 'y' }], expiry: '2030-01-31T12:00:00Z' };
/** Permissions that are given or denied together, from none to those of most members. */
const PERMISSIONS = [
  '0',
  String(bitsOf('VIEW_CHANNEL')),
  String(bitsOf('READ_MESSAGE_HISTORY')),
  String(BEGINNERS),
  String(BEGINNERS),
] as const;

/** A guild with three bots and three people, and a private channel with one of the bots. */
export function fixtureOfBots(): Fixture {
  return patch(defaultFixture(), {
    users: BOTS.map((id) => ({ id, username: `bot${id}`, bot: true })),
    applications: BOTS.map((id) => ({ id, name: `App ${id}`, bot_user: id })),
    guilds: [
      {
        id: ids.riverBank,
        roles: [
          { id: '802', name: 'admin', permissions: ['ADMINISTRATOR'], position: 2 },
          { id: CREW, name: 'crew', position: 1 },
        ],
        members: BOTS.map((user) => ({ user, roles: user === ADMIN ? ['802'] : [] })),
      },
    ],
    private_channels: [{ id: DIRECT, recipients: [ids.heron, ids.lighthouse] }],
  }).fixture;
}

/** Changes of a platform, and questions about it, at random. */
export class RandomChanges {
  readonly #platform: AskedPlatform;
  readonly #random: Random;
  readonly #counts = new Map<string, number>();
  /** Path of the last interaction's answer, which whoever has its token reads. */
  #answer = '/webhooks/1/x/messages/@original';

  constructor(platform: AskedPlatform, random: Random) {
    this.#platform = platform;
    this.#random = random;
  }

  /** How many changes of each kind were made. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /** A bot with its token. */
  bot(id: string = this.#random.pick(BOTS)): Asker {
    const written = this.#platform.parts.world.tables.applications.get(id);
    return { name: id, authorization: `Bot ${botTokenOf(written ?? { id, bot_token: null })}` };
  }

  /** Who asks: a bot, now and then with a token that may be its former one. */
  asker(): Asker {
    const bot = this.bot();
    return this.#random.int(10) > 0 ? bot : { ...bot, authorization: `Bot ${otherToken(bot.name)}` };
  }

  /** A question that a bot may ask. */
  question(): string {
    const channel = this.#channel();
    const user = this.#random.pick([...PEOPLE, ...BOTS]);
    return `GET ${this.#random.pick([
      `${channel}/messages`,
      `${channel}/messages`,
      `${channel}/messages?limit=3`,
      this.#message().path,
      `${channel}/messages/pins`,
      `${GUILD}/members?limit=100`,
      `${GUILD}/members/${user}`,
      `${GUILD}/bans`,
      `/users/${user}`,
      '/users/@me',
      this.#answer,
    ])}`;
  }

  /** Makes a change of one kind, unless it is refused. */
  async change(): Promise<void> {
    const [name, make] = this.#random.pick(this.#changes());
    const count = this.#counts.get(name) ?? 0;
    this.#counts.set(name, count + (await this.#isMade(make)));
  }

  #changes(): [Change, ...Change[]] {
    const { world, bans } = this.#platform.parts;
    const one = this.#random.pick.bind(this.#random) as Random['pick'];
    const content = one(CONTENTS);
    const channel = this.#channel();
    const { path, id, channel: at, author } = this.#message();
    const pin = path.replace('messages/', 'messages/pins/');
    const other = one([BOTS[1], BOTS[2]]);
    const member = one([ids.heron, ids.otter, other]);
    const written = { id: one(WRITTEN), channel: one([ids.general, NEWS]), author: one(PEOPLE), content };
    const overwrites = `/channels/${one([ids.general, NEWS])}/permissions`;
    const view = { [one(['allow', 'deny'])]: one(PERMISSIONS) };
    const asBot = (what: string, json?: unknown) => this.#platform.ask(this.bot(), what, json);
    const asAdmin = (what: string, json?: unknown) => this.#platform.ask(this.bot(ADMIN), what, json);
    const apply = (change: unknown) => world.changes((writing) => applyPatch(writing, change));
    const joins = { user: other, roles: one([[], [CREW]]) };
    const token = one([null, otherToken(other)]);
    const emoji = encodeURIComponent(one(['🌊', '🐟']));
    return [
      ['write', () => apply({ messages: [written] })],
      ['embed', () => apply({ messages: [{ ...written, embeds: [{ title: 'a tide' }] }] })],
      ['poll', () => apply({ messages: [{ ...written, id: ASKED, poll: POLL }] })],
      ['vote', () => apply({ poll_votes: [{ message: ASKED, answer: 1, user: one(PEOPLE) }] })],
      ['post', () => asBot(`POST ${channel}/messages`, { content })],
      [
        'reply',
        () => asBot(`POST /channels/${at}/messages`, { content, message_reference: { message_id: id } }),
      ],
      ['edit', () => this.#platform.ask(this.bot(author), `PATCH ${path}`, { content })],
      ['delete', () => asAdmin(`DELETE ${path}`)],
      ['pin', () => asAdmin(`PUT ${pin}`)],
      ['unpin', () => asAdmin(`DELETE ${pin}`)],
      ['react', () => asBot(`PUT ${path}/reactions/${emoji}/@me`)],
      [
        'react as anybody',
        () => apply({ reactions: [{ message: id, emoji: '🌊', user: one([...PEOPLE, ...BOTS]) }] }),
      ],
      ['clear reactions', () => asAdmin(`DELETE ${path}/reactions`)],
      ['begin a thread', () => asAdmin(`POST ${path}/threads`, { name: 'a thread' })],
      ['rename', () => apply({ users: [{ id: one(PEOPLE), global_name: `name ${this.#random.int(5)}` }] })],
      ['rename a bot', () => asBot('PATCH /users/@me', { username: one(['tug', 'ferry']) })],
      ['nick', () => asBot(`PATCH ${GUILD}/members/@me`, { nick: one([null, 'tug', 'ferry']) })],
      ['intents', () => apply({ applications: [{ id: other, intents: one([[], ['message_content']]) }] })],
      ['token', () => apply({ applications: [{ id: other, bot_token: token }] })],
      ['join', () => apply({ guilds: [{ id: ids.riverBank, members: [joins] }] })],
      ['kick', () => asAdmin(`DELETE ${GUILD}/members/${member}`)],
      ['ban', () => asAdmin(`PUT ${GUILD}/bans/${member}`, {})],
      ['unban', () => asAdmin(`DELETE ${GUILD}/bans/${member}`)],
      ['give a role', () => asAdmin(`PUT ${GUILD}/members/${other}/roles/${CREW}`)],
      ['take a role', () => asAdmin(`DELETE ${GUILD}/members/${other}/roles/${CREW}`)],
      [
        'permissions',
        () =>
          asAdmin(`PATCH ${GUILD}/roles/${one([CREW, ids.riverBank])}`, { permissions: one(PERMISSIONS) }),
      ],
      ['role overwrite', () => asAdmin(`PUT ${overwrites}/${CREW}`, { type: 0, ...view })],
      ['user overwrite', () => asAdmin(`PUT ${overwrites}/${other}`, { type: 1, ...view })],
      ['no overwrite', () => asAdmin(`DELETE ${overwrites}/${one([CREW, other])}`)],
      ['ban the account', () => bans.ban(ids.river, null)],
      ['unban the account', () => bans.isBanned(ids.river) && bans.unban(ids.river)],
      ['ephemeral answer', () => this.#interact(64, content)],
      ['public answer', () => this.#interact(0, content)],
      ['edit an answer', () => asBot(`PATCH ${this.#answer}`, { content })],
      ['delete an answer', () => asBot(`DELETE ${this.#answer}`)],
    ];
  }

  /** Whether a change was made; an error that no bad input explains is thrown on. */
  async #isMade(make: Change[1]): Promise<number> {
    try {
      const answer = await make();
      if (typeof answer === 'string' && answer.startsWith('5')) throw new Error(answer);
      return typeof answer === 'string' && answer.startsWith('4') ? 0 : 1;
    } catch (error) {
      if ([FixtureError, SettingError, StateError].some((kind) => error instanceof kind)) return 0;
      throw error;
    }
  }

  /** River uses a command, which is answered. */
  async #interact(flags: number, content: string): Promise<string> {
    const { interactions } = this.#platform.parts.platform;
    const data = { id: '920', name: 'tide', type: 1 };
    const used = { application: ADMIN, user: ids.river, channel: ids.general, type: 2, data } as const;
    const { id, token } = interactions.begin(used);
    this.#answer = `/webhooks/${ADMIN}/${token}/messages/@original`;
    const answered = { type: 4, data: { content, flags } };
    return this.#platform.ask({ name: 'anybody' }, `POST /interactions/${id}/${token}/callback`, answered);
  }

  #channel(): string {
    return `/channels/${this.#random.pick([ids.general, ids.general, NEWS, DIRECT])}`;
  }

  /** One of the last messages, or one that is not there. */
  #message() {
    const nowhere = { id: '1', channel: ids.general, author: ADMIN };
    const known: readonly (typeof nowhere | Message)[] = [
      ...this.#platform.parts.world.tables.messages,
    ].slice(-8);
    const { id, channel, author } = this.#random.pick([nowhere, ...known]);
    return { path: `/channels/${channel}/messages/${id}`, id, channel, author: author ?? ADMIN };
  }
}

/** A token of a bot besides the one that it has by itself. */
function otherToken(id: string): string {
  return `${Buffer.from(id).toString('base64url')}.a.b`;
}

/** A kind of change, and how it is made: an answer of the API tells whether it was. */
type Change = readonly [name: string, make: () => unknown];
