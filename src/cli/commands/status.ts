import type { ControlStatus } from '../../control/routes.ts';
import { defineCommand } from '../command.ts';
import { ExitCode } from '../exit-codes.ts';
import { columns, printable } from '../style.ts';

/** `footbridge status`. */
export const status = defineCommand({
  name: 'status',
  summary: 'Show the running bridge and who is connected',
  json: true,
  async run({ json }, io) {
    const { askDaemon, printJson } = await import('../ask-daemon.ts');
    const answer = await askDaemon(io).status();
    if (json) printJson(io, answer);
    else io.out(statusText(answer));
    return ExitCode.OK;
  },
});

function statusText(answer: ControlStatus): string {
  const { core, sessions } = answer;
  const rows = [
    ['footbridge', `${answer.version}, pid ${answer.pid}, up ${duration(answer.uptime)}`],
    ['core', core.api === null ? core.name : `${core.name}, ${core.api}`],
    ...core.details.map(([label, text]) => [label, printable(text)]),
    ...answer.endpoints.map(({ kind, path }) => [kind, path]),
    ...answer.notInFrontOf.map(({ path, why }) => ['not in front', `${path}: ${printable(why)}`]),
    ['memory', `${(answer.rss / 1024 / 1024).toFixed(1)} MiB`],
    ['sessions', String(sessions.length)],
  ];
  const table = sessions.map((session) => [
    `  ${session.id.slice(0, 8)}`,
    session.clientId ?? '-',
    session.pid === null ? 'pid ?' : `pid ${session.pid}`,
    session.transport,
    session.state,
    `${session.subscriptions} subscriptions`,
    printable(session.scopes.join(' ')),
  ]);
  return columns(rows) + columns(table);
}

/** `1d 2h`, `5m 3s`: the two largest units. */
export function duration(seconds: number): string {
  const units = [
    ['d', 86_400],
    ['h', 3600],
    ['m', 60],
    ['s', 1],
  ] as const;
  const parts: string[] = [];
  let left = seconds;
  for (const [unit, size] of units) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) parts.push(`${count}${unit}`);
  }
  return parts.slice(0, 2).join(' ') || '0s';
}
