import { isDeepStrictEqual } from 'node:util';
import { boundOperations } from '../../src/base/admin-operation.ts';
import { INTENTS } from '../../src/emulator/api/dispatch.ts';
import { operatorOperations } from '../../src/emulator/compose/operator-operations.ts';
import { botPlatform } from './bot-member.ts';
import { ids } from './emulator-world.ts';
import { ALL_INTENTS, type Heard, listen } from './gateway-listener.ts';
import { ManualClock } from './manual-clock.ts';
import { dataUri, gif, mp3, png } from './media-bytes.ts';
import { APP } from './platform.ts';

// A transcript is a text: lines that begin with `> ` are asked, and what follows each is what was answered, and which
// events the gateway then told to whom. Playing it asks the same again; it reads the same, or something has changed.
//
//   > bot PATCH /guilds/$bank {"name":"x"}          a request of the bot; `other` is the bot of a second application,
//                                                   `anyone` has no token
//   > bot (spring) DELETE /channels/$general        the same with a reason for the audit log
//   > $boat = bot POST /channels/$general/threads … the id or the code of the answer has this name from then on
//   > river(guilds.join) GET /users/@me/guilds      a request with a token of River, with these scopes
//   > may MANAGE_ROLES                              what the bot may by its role, instead of everything
//   > guild {"features":["COMMUNITY"]}              a change of River Bank by the operator; `apply` one of the whole state
//   > run guild.onboard {…}                         an operation for the operator
//   > wait 60                                       so many seconds pass
//   > clock 2026-11-15T23:59:59Z                    the time at which all of it begins

/** Bot of a second application, which has no role in River Bank. */
const OTHER = ids.lighthouse;
/** Role of the bot, above all others. */
const TOP = '46';

const NAMES: readonly (readonly [name: string, value: string])[] = [
  ['bank', ids.riverBank],
  ['harbour', ids.harbour],
  ['general', ids.general],
  ['news', '500000000000000003'],
  ['category', ids.category],
  ['voices', '500000000000000004'],
  ['lounge', ids.lounge],
  ['cabin', ids.boat],
  ['arrivals', ids.arrivals],
  ['river', ids.river],
  ['heron', ids.heron],
  ['otter', ids.otter],
  ['bot', APP],
  ['other', OTHER],
  ['png', dataUri(png())],
  ['gif', dataUri(gif())],
  ['mp3', dataUri(mp3(), 'audio/mpeg')],
];

/** Plays a transcript, and gives it with what is answered now. */
export async function played(transcript: string): Promise<string> {
  const [, time] = /^> clock (\S+)$/m.exec(transcript) ?? [];
  const stage = await openStage(time === undefined ? undefined : Date.parse(time));
  const lines: string[] = [];
  for (const line of transcript.split('\n')) {
    if (line.startsWith('#') || line === '') lines.push(line);
    if (line.startsWith('> ')) lines.push(line, ...(await stage.play(line.slice(2))));
  }
  return lines.join('\n');
}

interface Stage {
  /** Does what a line asks for, and tells what came of it. */
  readonly play: (line: string) => Promise<readonly string[]>;
}

async function openStage(now?: number): Promise<Stage> {
  const clock = new ManualClock(now);
  const platform = await botPlatform({}, ['guild_members', 'guild_presences', 'message_content'], { clock });
  const { emulator, call, bot, bearer } = platform;
  const guild = (change: object) => emulator.apply({ guilds: [{ id: ids.riverBank, ...change }] });
  await platform.only('VIEW_CHANNEL', 'SEND_MESSAGES');
  await emulator.apply({
    users: [{ id: OTHER, username: 'lighthouse', bot: true }],
    applications: [
      { id: OTHER, bot_user: OTHER, intents: ['guild_members', 'guild_presences', 'message_content'] },
    ],
  });
  const may = (...permissions: readonly string[]) =>
    guild({ roles: [{ id: TOP, name: 'top', position: 50, permissions }] });
  await may('ADMINISTRATOR');
  await guild({ members: [{ user: APP, roles: [TOP] }, { user: OTHER }] });

  const application = emulator.tables.applications.get(OTHER);
  if (application === undefined) throw new Error('there is no second application');
  const scopes = [
    'identify',
    'guilds',
    'dm_channels.read',
    'dm_channels.messages.read',
    'relationships.read',
  ];
  const viewers = new Map<string, () => Heard[]>([
    ['bot', await listen(emulator)],
    ['other', await listen(emulator, { application, user: OTHER })],
    ['river', await listen(emulator, { kind: 'bearer', user: ids.river, scopes, intents: 0 })],
    ['none', await listen(emulator, { intents: 0 })],
  ]);
  for (const [name, bit] of Object.entries(INTENTS)) {
    if ((ALL_INTENTS & bit) !== 0) viewers.set(name, await listen(emulator, { intents: bit }));
  }
  const operations = boundOperations(operatorOperations, emulator);
  const names = new Map(NAMES);
  const filled = (text: string) =>
    text.replaceAll(/\$(\w+)/g, (whole, name: string) => names.get(name) ?? whole);
  // Ids and hashes that nobody has named are numbered, so that a line does not depend on how many were made before it.
  const numbers = new Map<string, string>();
  names.set('api', platform.url);
  const numbered = (id: string): string => {
    const known = numbers.get(id) ?? `#${numbers.size + 1}`;
    numbers.set(id, known);
    return known;
  };
  const named = (text: string) =>
    [...names]
      .reduce((rest, [name, value]) => rest.replaceAll(value, `$${name}`), text)
      .replaceAll(/\b159\d{16}\b/g, numbered);

  const headersOf = async (who: string): Promise<Readonly<Record<string, string>>> => {
    const [, scopes] = /^river\((.*)\)$/.exec(who) ?? [];
    if (scopes !== undefined) return bearer(scopes.split(' '));
    if (who === 'anyone') return {};
    return bot(who === 'other' ? OTHER : APP);
  };
  const asked = async (line: string): Promise<readonly string[]> => {
    const [, as, who = '', reason, what = '', form, json] =
      /^(?:\$(\w+) = )?(\w+(?:\([^)]*\))?) (?:\(([^)]*)\) )?([A-Z]+ \S+)( form)?(?: (.*))?$/.exec(line) ?? [];
    if (what === '') throw new Error(`nobody knows what this asks for: ${line}`);
    const headers = {
      ...(await headersOf(who)),
      ...(reason === undefined ? {} : { 'x-audit-log-reason': reason }),
    };
    const body: unknown = json === undefined ? undefined : JSON.parse(filled(json));
    const request =
      form === undefined
        ? { headers, json: body }
        : { headers, body: formOf(body as Record<string, string>) };
    const answer = await call(filled(what), request);
    if (as !== undefined && answer.status < 300) names.set(as, String(answer.body.id ?? answer.body.code));
    answered = JSON.stringify(sorted(answer.body));
    return [answered === '""' ? String(answer.status) : `${answer.status} ${shortened(answered)}`];
  };
  const acts: Readonly<Record<string, (rest: string) => Promise<readonly string[]>>> = {
    may: async (rest) => {
      await may(...rest.split(' ').filter((one) => one !== ''));
      // Every such line would tell the same.
      for (const heard of viewers.values()) heard();
      return [];
    },
    guild: async (rest) => orError(() => guild(JSON.parse(filled(rest)) as object)),
    apply: async (rest) => orError(() => emulator.apply(JSON.parse(filled(rest)))),
    // It was set before anything else.
    clock: async () => [],
    wait: async (rest) => {
      clock.advance(Number(rest) * 1000);
      return [];
    },
    run: async (rest) => {
      const [name = '', ...args] = rest.split(' ');
      const operation = operations[name];
      if (operation === undefined) throw new Error(`there is no operation ${name}`);
      const lines: string[] = [];
      const error = await orError(async () => {
        const given = JSON.parse(filled(args.join(' ') || '{}')) as never;
        const result = await operation.run(given, { via: 'control' });
        const { command } = operatorOperations.find((one) => one.name === name) ?? {};
        lines.push(JSON.stringify(sorted(result)));
        if (command?.resultText) lines.push(JSON.stringify(command.resultText(result as never, given)));
      });
      return [...lines, ...error];
    },
  };
  let answered = '';
  const seen = new Map<string, Fields>();
  /** A value in which objects that were told before have only what is different now. */
  const compact = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(compact);
    if (typeof value !== 'object' || value === null) return value;
    const fields = value as Fields;
    const id = idOf(fields);
    const kind = `${id} ${Object.keys(fields).join()}`;
    const before = id === undefined ? undefined : seen.get(kind);
    seen.set(kind, fields);
    const all = Object.entries(fields);
    const other = all.filter(([key, one]) => key === 'id' || !isDeepStrictEqual(one, before?.[key]));
    const isLess = before !== undefined && other.length + 2 < all.length;
    const told = (isLess ? other : all).map(([key, one]) => [key, compact(one)] as const);
    return isLess ? { id, ...Object.fromEntries(told), '…': 'as before' } : Object.fromEntries(told);
  };
  const shortened = (text: string): string => JSON.stringify(compact(JSON.parse(text)));
  const told = (): readonly string[] => {
    const rows = new Map<string, string[]>();
    for (const [viewer, heard] of viewers) {
      const times = new Map<string, number>();
      for (const { event, data } of heard()) {
        const text = `${event} ${JSON.stringify(sorted(data))}`;
        // The same twice are two rows.
        const time = (times.get(text) ?? 0) + 1;
        times.set(text, time);
        const row = `${time} ${text}`;
        rows.set(row, [...(rows.get(row) ?? []), viewer]);
      }
    }
    return [...rows].map(([row, who]) => {
      const [, event, data] = /^\d+ (\S+) (.*)$/s.exec(row) ?? [];
      const people = who.filter((viewer) => !Object.hasOwn(INTENTS, viewer) && viewer !== 'none');
      // Where no intent is needed, all hear it that have one or none.
      const heard = who.includes('none') ? [...people, 'without intents'] : who;
      return `${event} to ${heard.join(' ')}: ${data === answered ? 'the answer' : shortened(data ?? '')}`;
    });
  };
  told();
  return {
    play: async (line) => {
      const [word = '', ...rest] = line.split(' ');
      const lines = await (acts[word]?.(rest.join(' ')) ?? asked(line));
      return [...lines, ...told()].map(named);
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** A value whose members stand in an order of their own, whatever the one is in which they were sent. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const rank = (key: string): string => (key === 'id' ? '' : key);
  const entries = Object.entries(value).sort(([a], [b]) => (rank(a) < rank(b) ? -1 : 1));
  return Object.fromEntries(entries.map(([key, one]) => [key, sorted(one)]));
}

/** What tells an object from others of its kind. */
function idOf({ id, user, user_id, code }: Fields): string | undefined {
  const ids = [id, (user as Fields | undefined)?.['id'], user_id, code];
  return ids.find((one) => typeof one === 'string');
}

/** Does something that tells nothing; gives the text of its error. */
async function orError(act: () => Promise<unknown>): Promise<readonly string[]> {
  try {
    await act();
    return [];
  } catch (error) {
    return [String(error)];
  }
}

/** A form with these fields; `file` is a data URI. */
function formOf(fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'file') form.set(name, new Blob([Buffer.from(value.split(',')[1] ?? '', 'base64')]), 'file');
    else form.set(name, value);
  }
  return form;
}
