import { setTimeout as delay } from 'node:timers/promises';
import { printable, printableJson } from '../../base/text.ts';
import { ExitCode } from '../../daemon/exit-codes.ts';
import type { Io } from '../../daemon/io.ts';
import { type DeliveryView, deliveryLine } from '../../emulator/applications/webhooks/operations.ts';
import { defineCommand, flag } from '../command.ts';
import { daemonClient, printJson } from '../daemon-client.ts';

/** Poll interval (ms), short enough that a user does not notice the delay. */
const POLL_MS = 500;

/** `footbridge emulator webhooks`. */
export const emulatorWebhooks = defineCommand({
  name: 'emulator webhooks',
  summary: 'List the webhook deliveries to applications, each attempt with its answer',
  group: 'emulator',
  positionals: [],
  options: { follow: flag('print each delivery as it comes or changes') },
  json: true,
  examples: [
    ['footbridge emulator webhooks', 'One line each'],
    ['footbridge emulator webhooks --json', 'With the payloads'],
  ],
  run({ values, json }, io) {
    return values.follow === true ? follow(json, io) : list(json, io);
  },
});

async function list(json: boolean, io: Io): Promise<ExitCode> {
  const sent = (await daemonClient(io).call('webhooks.list')) as readonly DeliveryView[];
  if (json) printJson(io, sent);
  else if (sent.length === 0) io.out('Nothing was sent.\n');
  else for (const one of sent) io.out(`${printable(deliveryLine(one))}\n`);
  return ExitCode.OK;
}

async function follow(json: boolean, io: Io): Promise<ExitCode> {
  const client = daemonClient(io);
  let known = new Map<string, string>();
  while (!io.outClosed.aborted) {
    const sent = (await client.call('webhooks.list')) as readonly DeliveryView[];
    for (const one of sent) {
      if (known.get(one.id) === deliveryLine(one)) continue;
      io.out(json ? `${printableJson(one)}\n` : `${printable(deliveryLine(one))}\n`);
    }
    known = new Map(sent.map((one) => [one.id, deliveryLine(one)]));
    await delay(POLL_MS);
  }
  return ExitCode.OK;
}
