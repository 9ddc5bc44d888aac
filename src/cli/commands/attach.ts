import type { Stored } from '../../base/saves.ts';
import { columns } from '../../base/style.ts';
import { printable } from '../../base/text.ts';
import { withCallableCommands } from '../../daemon/called-as.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import { defineCommand, textOption } from '../command.ts';
import { daemonClient, printJson } from '../daemon-client.ts';
import { storedExitCode, warnOfUnstored } from '../unstored.ts';

/** `footbridge attach NAME`. */
export const attach = defineCommand({
  name: 'attach',
  summary: 'Make a one-time code with which a chat client attaches (--core attach)',
  group: 'attach',
  positionals: [{ name: 'NAME', help: 'what to call the client', arity: 'one' }],
  json: true,
  details: ['The code is good once, for ten minutes. Whoever has it answers for your account to every app.'],
  examples: [['footbridge attach browser', 'Then type the address and the code into the client']],
  async run({ positionals, json }, io) {
    const pair = (await daemonClient(io).call('attach.pair', { name: positionals[0] })) as Pair;
    if (json) printJson(io, pair);
    else
      io.out(
        `Give these to the client:\n${columns([
          ['  address', pair.url],
          ['  code', pair.code],
        ])}`,
      );
    return storedExitCode(io, pair);
  },
});

/** `footbridge attached`. */
export const attached = defineCommand({
  name: 'attached',
  summary: 'List paired chat clients, and which are attached',
  group: 'attach',
  json: true,
  options: {
    account: textOption('ID', 'let apps see this account from now on', { completes: 'accounts' }),
  },
  examples: [
    ['footbridge attached', 'Who is paired, and who is there'],
    ['footbridge attached --account 200000000000000001', 'Of two accounts, show this one to the apps'],
  ],
  async run({ values, json }, io) {
    const daemon = daemonClient(io);
    if (values.account !== undefined) await daemon.call('attach.choose', { account: values.account });
    const list = (await daemon.call('attach.list', {})) as List;
    if (json) printJson(io, list);
    else if (list.clients.length === 0)
      io.out(withCallableCommands('No client is paired: footbridge attach NAME\n', io.env));
    else io.out(columns(list.clients.flatMap((client) => rowsOf(client, list.account))));
    await warnOfUnstored(io, daemon);
    return ExitCode.OK;
  },
});

/** `footbridge detach NAME`. */
export const detach = defineCommand({
  name: 'detach',
  summary: 'Remove a paired chat client; its token is worth nothing then',
  group: 'attach',
  positionals: [{ name: 'NAME', help: 'its name', arity: 'one', completes: 'clients' }],
  json: true,
  examples: [['footbridge detach browser', 'By the name it was paired with']],
  async run({ positionals, json }, io) {
    const [name = ''] = positionals;
    const stored = (await daemonClient(io).call('attach.remove', { name })) as Stored;
    if (json) printJson(io, { removed: name, ...stored });
    else io.out(`Removed: ${printable(name)}\n`);
    return storedExitCode(io, stored);
  },
});

interface Pair {
  readonly code: string;
  readonly url: string;
}

interface Client {
  readonly name: string;
  readonly attached: readonly { readonly user: { readonly id: string; readonly username: string } | null }[];
}

interface List {
  readonly account: string | null;
  readonly clients: readonly Client[];
}

function rowsOf({ name: rawName, attached: connections }: Client, account: string | null): string[][] {
  const name = printable(rawName);
  if (connections.length === 0) return [[name, 'not attached']];
  return connections.map(({ user }) => {
    if (user === null) return [name, 'attached, nobody logged in'];
    return [
      name,
      `attached as ${printable(user.username)} (${user.id})`,
      user.id === account ? 'answers' : '',
    ];
  });
}
