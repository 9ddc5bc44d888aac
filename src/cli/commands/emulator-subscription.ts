import { type CliPositional, defineCommand } from '../command.ts';
import { changeEmulator } from './emulator-change.ts';

const ID: CliPositional = { name: 'ID', help: 'id of the subscription', arity: 'one' };

interface Shown {
  readonly id: string;
  readonly status: string;
  readonly current_period_end: string;
}

const say = ({ id, status, current_period_end: end }: Shown): string =>
  `Subscription ${id} is ${status}; its period ends ${end}.`;

/** `footbridge emulator subscription start USER SKU`. */
export const emulatorSubscriptionStart = defineCommand({
  name: 'emulator subscription start',
  summary: 'Have a user subscribe to something that an application sells',
  group: 'emulator',
  positionals: [
    { name: 'USER', help: 'id or username', arity: 'one', completes: 'users' },
    { name: 'SKU', help: 'id of what is sold, of type 5', arity: 'one' },
  ],
  options: {
    guild: {
      type: 'string',
      value: 'GUILD',
      completes: 'guilds',
      help: 'id of the guild that it is for; the user alone unless given',
    },
  },
  json: true,
  examples: [['footbridge emulator subscription start otter 700000000000000003', 'For thirty days']],
  run({ positionals: [user, sku], values, json }, io) {
    return changeEmulator<Shown>(io, json, {
      operation: 'subscription.start',
      args: { user, sku, ...(values.guild === undefined ? {} : { guild: values.guild }) },
      say,
    });
  },
});

/** `footbridge emulator subscription set ID active|ending|inactive`. */
export const emulatorSubscriptionSet = defineCommand({
  name: 'emulator subscription set',
  summary: 'Give a subscription another status, whichever it has',
  group: 'emulator',
  positionals: [
    ID,
    {
      name: 'active|ending|inactive',
      help: 'renewed at its end, not renewed any more, or not paid for',
      arity: 'one',
      choices: ['active', 'ending', 'inactive'],
    },
  ],
  json: true,
  details: [
    'One that is ending becomes inactive when its period is over by the clock. What came with it ends with inactive.',
  ],
  examples: [
    ['footbridge emulator subscription set 1461234567890123456 ending', 'The user has cancelled it'],
    ['footbridge emulator subscription set 1461234567890123456 inactive', 'It was not paid'],
  ],
  run({ positionals: [id, status], json }, io) {
    return changeEmulator<Shown>(io, json, { operation: 'subscription.set', args: { id, status }, say });
  },
});

/** `footbridge emulator subscription renew ID`. */
export const emulatorSubscriptionRenew = defineCommand({
  name: 'emulator subscription renew',
  summary: 'Have a subscription paid for another period',
  group: 'emulator',
  positionals: [ID],
  json: true,
  examples: [['footbridge emulator subscription renew 1461234567890123456', 'For thirty days more']],
  run({ positionals: [id], json }, io) {
    return changeEmulator<Shown>(io, json, { operation: 'subscription.renew', args: { id }, say });
  },
});

/** `footbridge emulator subscription refund ID`. */
export const emulatorSubscriptionRefund = defineCommand({
  name: 'emulator subscription refund',
  summary: 'Pay a subscription back: it is inactive, and what came with it is taken back',
  group: 'emulator',
  positionals: [ID],
  json: true,
  examples: [['footbridge emulator subscription refund 1461234567890123456', 'ENTITLEMENT_DELETE']],
  run({ positionals: [id], json }, io) {
    return changeEmulator<Shown>(io, json, { operation: 'subscription.refund', args: { id }, say });
  },
});
