import type { OperationSummary } from '../../../../control/operation-summary.ts';

/** Operations under one title. */
export interface Group {
  readonly title: string;
  readonly operations: readonly OperationSummary[];
}

/** Titles in their order, with the first words of the names of their operations. */
const TITLES: readonly (readonly [title: string, prefixes: readonly string[]])[] = [
  ['Interactions', ['interaction', 'link']],
  ['Activities', ['activity', 'presence', 'overlay']],
  ['Messages', ['message', 'channel', 'poll', 'file']],
  ['Voice', ['voice']],
  ['Users', ['user', 'relationship', 'sign-in', 'id-token']],
  ['Guilds and events', ['guild', 'event', 'invite']],
  ['Lobbies', ['lobby']],
  ['Subscriptions', ['subscription']],
  ['Webhooks and gateway', ['webhook', 'webhooks', 'gateway']],
  ['Requests and grants', ['requests', 'grants', 'origins', 'attach']],
  ['Clock', ['clock']],
  ['Faults', ['fault']],
  ['State', ['emulator', 'summary', 'record', 'world']],
  ['Bridge', ['bridge', 'console', 'endpoints', 'journal', 'traffic', 'upstream']],
];

/** Operations that contain every typed word, by title; operations of unknown kinds come last. */
export function groupsOf(operations: readonly OperationSummary[], typed: string): readonly Group[] {
  const words = typed.trim().toLowerCase().split(/\s+/);
  const found = operations.filter(({ name, summary, command }) => {
    const whole = `${name} ${command === null ? '' : `emulator ${command}`} ${summary}`.toLowerCase();
    return words.every((word) => whole.includes(word));
  });
  const titleOf = ({ name }: OperationSummary): string =>
    TITLES.find(([, prefixes]) => prefixes.includes(name.split('.')[0] ?? ''))?.[0] ?? 'Others';
  return [...TITLES.map(([title]) => title), 'Others']
    .map((title) => ({
      title,
      operations: found.filter((one) => titleOf(one) === title).sort((a, b) => (a.name < b.name ? -1 : 1)),
    }))
    .filter((group) => group.operations.length > 0);
}
