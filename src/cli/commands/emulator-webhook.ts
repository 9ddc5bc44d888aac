import { setTimeout as delay } from 'node:timers/promises';
import { printable, printableJson } from '../../base/text.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import type { Io } from '../../daemon/io.ts';
import { EVENT_TYPES } from '../../emulator/applications/webhooks/event-types.ts';
import { askDaemon, printJson } from '../ask-daemon.ts';
import { defineCommand } from '../command.ts';
import { usage } from '../parse.ts';
import { changeEmulator } from './emulator-change.ts';

/** A person does not notice half a second. */
const LOOK_MS = 500;

interface Sent {
  readonly id: string;
  readonly application: string;
  readonly type: string;
  readonly state: string;
  readonly url: string;
  readonly attempts: readonly {
    readonly at: string;
    readonly outcome: { readonly kind: string; readonly status?: number; readonly reason?: string };
  }[];
}

function line({ id, application, type, state, url, attempts }: Sent): string {
  const last = attempts.at(-1)?.outcome;
  const said = last === undefined ? 'not tried yet' : String(last.status ?? last.reason);
  return `${id}  ${type} to ${application} at ${url}: ${state}, ${attempts.length}x, last ${said}`;
}

/** `footbridge emulator webhook set APP URL`. */
export const emulatorWebhookSet = defineCommand({
  name: 'emulator webhook set',
  summary: 'Tell an application what happens, at an address of this machine',
  group: 'emulator',
  positionals: [
    { name: 'APP', help: 'id or name', arity: 'one' },
    {
      name: 'URL',
      help: 'http: on this machine; has to answer a PING with 204, a wrong signature with 401',
      arity: 'one',
    },
  ],
  options: {
    events: { type: 'string', value: 'A,B', help: 'only these events; all unless given' },
  },
  json: true,
  examples: [
    ['footbridge emulator webhook set 300000000000000001 http://127.0.0.1:3000/events', 'Of everything'],
    [
      'footbridge emulator webhook set 300000000000000001 http://127.0.0.1:3000/events --events APPLICATION_DEAUTHORIZED',
      'Only of accounts that are unlinked',
    ],
  ],
  run({ positionals: [app, url], values, json }, io) {
    const events = values.events?.split(',').filter((one) => one !== '');
    const unknown = events?.find((one) => !EVENT_TYPES.some((type) => type === one));
    if (unknown !== undefined) {
      const problem = `--events: ${JSON.stringify(unknown)} is not one of ${EVENT_TYPES.join(', ')}.`;
      throw usage(problem, { name: 'emulator webhook set' });
    }
    return changeEmulator(io, json, {
      operation: 'webhook.set',
      args: { app, url, ...(events === undefined ? {} : { events }) },
      say: () => `${app} is told at ${url}, which answered as it has to.`,
    });
  },
});

/** `footbridge emulator webhook remove APP`. */
export const emulatorWebhookRemove = defineCommand({
  name: 'emulator webhook remove',
  summary: 'Tell an application nothing more',
  group: 'emulator',
  positionals: [{ name: 'APP', help: 'id or name', arity: 'one' }],
  json: true,
  examples: [['footbridge emulator webhook remove 300000000000000001', 'No longer']],
  run({ positionals: [app], json }, io) {
    return changeEmulator(io, json, {
      operation: 'webhook.remove',
      args: { app },
      say: ({ removed }: { readonly removed: boolean }) =>
        removed ? `${app} is told nothing more.` : `${app} had no webhook; nothing is changed.`,
    });
  },
});

/** `footbridge emulator webhook redeliver ID`. */
export const emulatorWebhookRedeliver = defineCommand({
  name: 'emulator webhook redeliver',
  summary: 'Send a delivery again',
  group: 'emulator',
  positionals: [{ name: 'ID', help: 'of the delivery, as "emulator webhooks" lists it', arity: 'one' }],
  json: true,
  examples: [['footbridge emulator webhook redeliver 1461234567890123456', 'The same bytes once more']],
  run({ positionals: [id], json }, io) {
    return changeEmulator(io, json, {
      operation: 'webhook.redeliver',
      args: { id },
      say: (sent: Sent) => line(sent),
    });
  },
});

/** `footbridge emulator webhooks`. */
export const emulatorWebhooks = defineCommand({
  name: 'emulator webhooks',
  summary: 'Show what was sent to applications, each attempt with its answer',
  group: 'emulator',
  positionals: [],
  options: { follow: { type: 'boolean', help: 'print each delivery as it comes or changes' } },
  json: true,
  examples: [
    ['footbridge emulator webhooks', 'One line each'],
    ['footbridge emulator webhooks --json', 'With what was sent'],
  ],
  run({ values, json }, io) {
    return values.follow === true ? follow(json, io) : list(json, io);
  },
});

async function list(json: boolean, io: Io): Promise<ExitCode> {
  const sent = (await askDaemon(io).call('webhooks.list')) as readonly Sent[];
  if (json) printJson(io, sent);
  else if (sent.length === 0) io.out('Nothing was sent.\n');
  else for (const one of sent) io.out(`${printable(line(one))}\n`);
  return ExitCode.OK;
}

async function follow(json: boolean, io: Io): Promise<ExitCode> {
  const client = askDaemon(io);
  let known = new Map<string, string>();
  while (!io.outGone.aborted) {
    const sent = (await client.call('webhooks.list')) as readonly Sent[];
    for (const one of sent) {
      if (known.get(one.id) === line(one)) continue;
      io.out(json ? `${printableJson(one)}\n` : `${printable(line(one))}\n`);
    }
    known = new Map(sent.map((one) => [one.id, line(one)]));
    await delay(LOOK_MS);
  }
  return ExitCode.OK;
}
