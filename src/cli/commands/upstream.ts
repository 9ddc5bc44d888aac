import type { Stored } from '../../base/saves.ts';
import { columns } from '../../base/style.ts';
import { amount, printable } from '../../base/text.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import { defineCommand } from '../command.ts';
import { daemonClient, printJson } from '../daemon-client.ts';
import { usage } from '../parse.ts';
import { storedExitCode, warnOfUnstored } from '../unstored.ts';

const named = { name: 'NAME', help: 'name of a client, or user:ID' } as const;

/** `footbridge upstream`. */
export const upstreamList = defineCommand({
  name: 'upstream',
  summary: 'List the chat clients behind the bridge (--core upstream)',
  group: 'bridge',
  positionals: [{ name: 'list', help: 'may be left out', arity: 'optional', choices: ['list'] }],
  json: true,
  details: [
    'One client is primary: it answers requests and asks for consent. Presence goes to every client, or to those that you name.',
    'See: footbridge help use-with-my-chat-client',
  ],
  examples: [['footbridge upstream', 'Each client, its account, and how many apps it shows']],
  async run({ json }, io) {
    const daemon = daemonClient(io);
    const list = (await daemon.call('upstream.list', {})) as List;
    if (json) printJson(io, list);
    else io.out(listText(list));
    await warnOfUnstored(io, daemon);
    return ExitCode.OK;
  },
});

/** `footbridge upstream primary NAME`. */
export const upstreamPrimary = defineCommand({
  name: 'upstream primary',
  summary: 'Choose the chat client that answers the apps',
  group: 'bridge',
  positionals: [
    { ...named, help: 'name of a client, user:ID, or auto for the first that answers', arity: 'one' },
  ],
  json: true,
  details: ['Apps move to it. Those whose token is not valid there are closed and connect again.'],
  examples: [
    ['footbridge upstream primary canary', 'Requests and consent go to the client canary'],
    ['footbridge upstream primary auto', 'The first client that answers is primary'],
  ],
  async run({ positionals: [name = ''], json }, io) {
    const result = (await daemonClient(io).call('upstream.primary', { name })) as Changed;
    if (json) printJson(io, result);
    else io.out(changedText(result));
    return storedExitCode(io, result);
  },
});

/** `footbridge upstream only NAME…`. */
export const upstreamOnly = defineCommand({
  name: 'upstream only',
  summary: 'Show presence only at the chat clients that you name',
  group: 'bridge',
  positionals: [{ ...named, help: 'names of clients, user:ID, or patterns with *', arity: 'many' }],
  json: true,
  examples: [
    ['footbridge upstream only vesktop', 'The other clients show nothing'],
    [
      'footbridge upstream only stable user:200000000000000001',
      'A client by its name, and every client of an account',
    ],
  ],
  async run({ positionals: names, json }, io) {
    if (names.length === 0) throw usage('Name at least one client.', { name: 'upstream only' });
    const result = (await daemonClient(io).call('upstream.only', { names })) as Stored;
    if (json) printJson(io, result);
    else io.out(`Presence goes to: ${names.map(printable).join(', ')}\n`);
    return storedExitCode(io, result);
  },
});

/** `footbridge upstream all`. */
export const upstreamAll = defineCommand({
  name: 'upstream all',
  summary: 'Show presence at every chat client',
  group: 'bridge',
  json: true,
  examples: [['footbridge upstream all', 'Also at clients that start later']],
  async run({ json }, io) {
    const result = (await daemonClient(io).call('upstream.only', { names: null })) as Stored;
    if (json) printJson(io, result);
    else io.out('Presence goes to every chat client\n');
    return storedExitCode(io, result);
  },
});

interface ListedClient {
  readonly name: string;
  readonly state: string;
  readonly primary: boolean;
  readonly selected: boolean | null;
  readonly user: { readonly id: string; readonly username: string | null } | null;
  readonly path: string | null;
  readonly apps: number;
  readonly why: string | null;
}

interface List {
  readonly chosen: string | null;
  readonly only: readonly string[] | null;
  readonly clients: readonly ListedClient[];
}

interface Changed {
  readonly primary: string | null;
  readonly moved: number;
  readonly ended: number;
  readonly endedFrom: readonly string[];
  readonly stayed: number;
}

/** Maximum width of a cell that moves the cells of other rows (characters). */
const MAX_CELL = 40;

function listText({ clients }: List): string {
  if (clients.length === 0) return 'No chat client answers behind the bridge. Start one after the bridge.\n';
  return columns(clients.map(rowOf), MAX_CELL);
}

function rowOf(client: ListedClient): string[] {
  const { name, primary, state, user, path, why } = client;
  const account = user === null ? '' : `user:${user.id}`;
  const place = printable(path ?? '');
  if (why !== null) return [name, state, printable(why)];
  return [printable(name), primary ? `primary, ${state}` : state, presenceText(client), account, place];
}

function presenceText({ state, selected, apps }: ListedClient): string {
  if (selected === false) return 'shows nothing';
  if (state === 'away') return '';
  if (selected === null) return 'account not known yet';
  return `shows ${amount(apps, 'app')}`;
}

function changedText({ primary, moved, ended, endedFrom, stayed }: Changed): string {
  const lines = [
    primary === null ? 'The first chat client that answers is primary' : `Primary: ${printable(primary)}`,
  ];
  if (moved > 0) lines.push(`${amount(moved, 'app has', 'apps have')} moved there`);
  if (ended > 0) {
    const tokens = ended === 1 ? 'its token belongs' : 'their tokens belong';
    const owner = printable(endedFrom.join(', '));
    lines.push(`${amount(ended, 'app')} must connect again: ${tokens} to ${owner}`);
  }
  if (stayed > 0)
    lines.push(
      `${amount(stayed, 'app stays', 'apps stay')} where ${stayed === 1 ? 'it is' : 'they are'}: the client did not answer in time`,
    );
  return `${lines.join('\n')}\n`;
}
