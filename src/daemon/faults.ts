import * as z from 'zod';
import { adminOperationsFor } from '../base/admin-operation.ts';
import { LocalError } from '../base/local-error.ts';
import { didYouMean } from '../base/nearest.ts';
import type { Fault, FaultEffect, Where } from '../faults/fault.ts';
import type { Faults } from '../faults/faults.ts';
import { commands, findCommand } from '../protocol/registry.ts';
import { pathBelowApi, unknownRoute } from './known-route.ts';

/** Schema of an injected fault as the operator views it: effect and subject, in the operator's own text. */
const fault = () =>
  z.object({
    id: z.string(),
    fault: z.string(),
    where: z.string(),
    /** Id of the only application that the fault matches. */
    application: z.nullable(z.string()),
    /** Number of remaining matches; null is unlimited. */
    left: z.nullable(z.number()),
    probability: z.number(),
    seed: z.number(),
    struck: z.number(),
  });

/** An injected fault, as the results of the operations contain it. */
export type FaultView = Readonly<z.output<ReturnType<typeof fault>>>;

const SHARE = 'is a number above 0 and at most 1, such as 0.5';

const addArgs = () =>
  z.object({
    fault: z.string().check(z.minLength(1), z.maxLength(40)),
    command: z.optional(z.string().check(z.minLength(1), z.maxLength(64))),
    route: z.optional(z.string().check(z.minLength(1), z.maxLength(300))),
    webhook: z.optional(z.boolean()),
    gateway: z.optional(z.boolean()),
    application: z.optional(z.string().check(z.regex(/^\d{1,20}$/, 'is no id of an application'))),
    count: z.optional(z.int().check(z.gte(1), z.lte(1_000_000))),
    probability: z.optional(z.number(SHARE).check(z.gt(0, SHARE), z.lte(1, SHARE))),
    seed: z.optional(z.int().check(z.gte(0), z.lte(4_294_967_295))),
  });

type Added = z.output<ReturnType<typeof addArgs>>;

const operation = adminOperationsFor<{
  readonly faults: Faults;
  /** Name of the client core. */
  readonly core: string;
}>();

/**
 * Operations of fault injection. Each operation refuses invalid input with `LocalError` FOOTBRIDGE_FAULT, which lists
 * the valid input.
 */
export const faultOperations = [
  operation({
    name: 'fault.add',
    summary: 'Make something go wrong on purpose, such as fault=delay=200 command=GET_GUILDS',
    about:
      '`fault` is as the command line has it, such as `delay=200`. The result is the fault with its `id`.',
    args: addArgs,
    result: fault,
    command: {
      name: 'fault add',
      summary: 'Make something go wrong on purpose, to see what your app does',
      syntax: {
        fault: {
          name: 'KIND',
          help: 'delay=MS, drop, error=CODE, close=CODE, split, coalesce, slow=BYTES_PER_SECOND, status=429|5xx or reconnect',
          completes: [
            'delay=',
            'drop',
            'error=',
            'close=',
            'split',
            'coalesce',
            'slow=',
            'status=',
            'reconnect',
          ],
        },
        command: {
          option: 'command',
          name: 'CMD',
          completes: 'commands',
          help: 'only this command; HANDSHAKE is READY, DISPATCH are events',
        },
        route: {
          option: 'route',
          name: "'METHOD /path'",
          help: 'requests over HTTP; {id} or * is any part, * all',
        },
        webhook: { option: 'webhook', type: 'flag', help: 'what is posted to applications' },
        gateway: { option: 'gateway', type: 'flag', help: 'what bots and games are told over the gateway' },
        application: {
          option: 'application',
          name: 'ID',
          help: 'only of this application',
          completes: 'applications',
        },
        count: { option: 'count', name: 'N', type: 'number', help: 'so often; for ever unless given' },
        probability: {
          option: 'probability',
          name: 'P',
          type: 'number',
          help: 'each time with this chance, above 0 and at most 1',
        },
        seed: {
          option: 'seed',
          name: 'N',
          type: 'number',
          help: 'of that chance: the same seed strikes the same requests',
        },
      },
      details: [
        'Without --command, --route, --webhook and --gateway it strikes every command of RPC. Faults end with the bridge.',
        'error and close answer in the place of the client; drop lets the request be served, and loses its answer.',
      ],
      examples: [
        ['fault add delay=500 --command GET_GUILDS', 'A slow answer'],
        ["fault add status=429 --route 'GET /users/@me' --count 1", 'A rate limit, once'],
        ['fault add drop --probability 0.1 --seed 7', 'Every tenth answer is lost, always the same ones'],
      ],
      resultText: (one) =>
        `${one.id}: ${one.fault} for ${one.where}. Ends with: emulator fault remove ${one.id}`,
    },
    run: async ({ faults, core }, input) => {
      const where = await whereOf(input, core);
      const effect = parseEffect(input.fault, where);
      checkBesides(effect, where);
      if (input.seed !== undefined && input.probability === undefined) {
        throw wrong('seed: means nothing without a probability, because the fault strikes each time');
      }
      const { application, count, probability, seed } = input;
      return viewOf(
        faults.add({
          effect,
          where,
          ...(application === undefined ? {} : { application }),
          ...(count === undefined ? {} : { count }),
          ...(probability === undefined ? {} : { probability }),
          ...(seed === undefined ? {} : { seed }),
        }),
      );
    },
  }),
  operation({
    name: 'fault.list',
    summary: 'What goes wrong on purpose',
    args: () => z.object({}),
    result: () => z.array(fault()),
    run: ({ faults }) => faults.list().map(viewOf),
  }),
  operation({
    name: 'fault.remove',
    summary: 'Let something go right again; without an id, everything',
    about: '`removed` are the ids.',
    args: () => z.object({ id: z.optional(z.string().check(z.maxLength(20))) }),
    result: () => z.object({ removed: z.array(z.string()) }),
    run: ({ faults }, { id }) => {
      const ids = id === undefined ? faults.list().map((one) => one.id) : [id];
      const removed = ids.filter((one) => faults.remove(one));
      if (id !== undefined && removed.length === 0) {
        const known = faults.list().map((one) => one.id);
        const there = known.length === 0 ? 'There is none' : `There are ${known.join(', ')}`;
        throw wrong(`there is no fault ${JSON.stringify(id)}. ${there}`);
      }
      return { removed };
    },
  }),
] as const;

/** Kinds of injected faults by subject, in the operator's spelling. */
const KINDS: { readonly [On in Where['on']]: readonly FaultEffect['kind'][] } = {
  rpc: ['delay', 'drop', 'error', 'close', 'split', 'coalesce', 'slow'],
  http: ['delay', 'drop', 'error', 'status', 'split', 'slow'],
  webhook: ['delay', 'drop', 'status'],
  gateway: ['delay', 'drop', 'close', 'reconnect', 'split', 'slow'],
};

const SUBJECTS: { readonly [On in Where['on']]: string } = {
  rpc: 'commands of RPC',
  http: 'routes of HTTP',
  webhook: 'webhooks',
  gateway: 'the gateway',
};

/** Number that a kind of injected fault takes: its field, its name in the help, and its valid values. */
const NUMBERS = {
  delay: { field: 'ms', name: 'MS', min: 0, max: 600_000 },
  error: { field: 'code', name: 'CODE', min: 0, max: 999_999 },
  close: { field: 'code', name: 'CODE', min: 1000, max: 4999 },
  slow: { field: 'bytesPerSecond', name: 'BYTES_PER_SECOND', min: 1, max: 1_000_000_000 },
  status: { field: 'status', name: 'STATUS', min: 429, max: 599 },
} as const;

const PLAIN = ['drop', 'split', 'coalesce', 'reconnect'] as const;
const ALL_KINDS = [...PLAIN, ...(Object.keys(NUMBERS) as (keyof typeof NUMBERS)[])];

function parseEffect(text: string, where: Where): FaultEffect {
  const [, kind = text, value] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  if (!ALL_KINDS.some((one) => one === kind)) {
    throw wrong(
      `there is no fault ${JSON.stringify(kind)}.${didYouMean(kind, ALL_KINDS)} There are ${kindsIn(where)}`,
    );
  }
  const effect = numbered(kind, value) ?? plain(kind, value);
  if (!KINDS[where.on].includes(effect.kind)) {
    throw wrong(`${kind} does not happen to ${SUBJECTS[where.on]}. There: ${kindsIn(where)}`);
  }
  return effect;
}

function numbered(kind: string, value: string | undefined): FaultEffect | undefined {
  if (!isNumbered(kind)) return undefined;
  const { field, name, min, max } = NUMBERS[kind];
  const number = /^\d{1,10}$/.test(value ?? '') ? Number(value) : Number.NaN;
  const isWithin = number >= min && number <= max && !isOutside(kind, number);
  if (!isWithin) {
    throw wrong(
      `${kind} is written ${kind}=${name}, a whole number ${RANGES[kind] ?? `from ${min} to ${max}`}`,
    );
  }
  return { kind, [field]: number } as unknown as FaultEffect;
}

/** Text for kinds whose valid numbers are a part of the range in {@link NUMBERS}. */
const RANGES: { readonly [kind: string]: string | undefined } = {
  status: '429, or from 500 to 599',
  close: 'from 1000 to 1014 without 1004 and 1005, or from 3000 to 4999',
};

/**
 * Whether a number is within the range but invalid: an HTTP status that is no failure, or a code with which a WebSocket
 * cannot be closed (RFC 6455, 7.4).
 */
function isOutside(kind: string, number: number): boolean {
  if (kind === 'status') return number !== 429 && number < 500;
  return kind === 'close' && (number === 1004 || number === 1005 || (number > 1014 && number < 3000));
}

function isNumbered(kind: string): kind is keyof typeof NUMBERS {
  return Object.hasOwn(NUMBERS, kind);
}

function plain(kind: string, value: string | undefined): FaultEffect {
  if (value !== undefined) throw wrong(`${kind} takes no number`);
  return { kind: kind as (typeof PLAIN)[number] };
}

function kindsIn({ on }: Where): string {
  return KINDS[on].map((kind) => (isNumbered(kind) ? `${kind}=${NUMBERS[kind].name}` : kind)).join(', ');
}

async function whereOf({ command, route, webhook, gateway }: Added, core: string): Promise<Where> {
  const targets = [command, route, webhook || undefined, gateway || undefined].filter(
    (one) => one !== undefined,
  );
  if (targets.length > 1) throw wrong('give one of command, route, webhook and gateway');
  if ((route !== undefined || webhook === true || gateway === true) && core !== 'emulator') {
    throw wrong(
      `only the core "emulator" has routes, webhooks and a gateway; this bridge runs ${JSON.stringify(core)}`,
    );
  }
  if (webhook === true) return { on: 'webhook' };
  if (gateway === true) return { on: 'gateway' };
  if (route !== undefined) return routeOf(route);
  return command === undefined ? { on: 'rpc' } : { on: 'rpc', command: commandOf(command) };
}

/** Subjects that are no command of the protocol but may have injected faults: the handshake's answer, and events. */
const BESIDES = ['HANDSHAKE', 'DISPATCH'];

/**
 * Throws for an effect that the subject cannot have: neither subject is a request that could be answered with an error,
 * and an event is no answer at all.
 */
function checkBesides({ kind }: FaultEffect, where: Where): void {
  if (where.on !== 'rpc') return;
  if (where.command === 'DISPATCH' && (kind === 'error' || kind === 'close')) {
    throw wrong(`${kind} comes in the place of an answer, and DISPATCH is none; name the command`);
  }
  if (where.command === 'HANDSHAKE' && kind === 'error') {
    throw wrong('error does not happen to the handshake, which is refused with close=CODE');
  }
}

function commandOf(command: string): string {
  if (BESIDES.includes(command) || findCommand(command) !== undefined) return command;
  const known = [...Object.keys(commands), ...BESIDES];
  throw wrong(`there is no command ${JSON.stringify(command)}.${didYouMean(command, known)}`);
}

const ANY = '*';

async function routeOf(route: string): Promise<Where> {
  if (route === ANY) return { on: 'http' };
  const [, method, path] = /^(\*|[A-Z]+) (\/\S*|\*)$/.exec(route) ?? [];
  if (method === undefined || path === undefined) {
    throw wrong(
      `a route is written "METHOD /path", such as "GET /users/@me", or "*" for all; not ${JSON.stringify(route)}`,
    );
  }
  const where = {
    on: 'http',
    ...(method === ANY ? {} : { method }),
    ...(path === ANY ? {} : { path: pathBelowApi(path) }),
  } as const;
  const problem = await unknownRoute(route, { method: where.method, path: where.path });
  if (problem !== undefined) throw wrong(problem);
  return where;
}

function viewOf({ id, effect, where, application, left, probability, seed, struck }: Fault): FaultView {
  return {
    id,
    fault: wordOf(effect),
    where: subjectText(where),
    application: application ?? null,
    left: left ?? null,
    probability,
    seed,
    struck,
  };
}

function wordOf(effect: FaultEffect): string {
  const { kind } = effect;
  return isNumbered(kind) ? `${kind}=${Reflect.get(effect, NUMBERS[kind].field)}` : kind;
}

function subjectText(where: Where): string {
  switch (where.on) {
    case 'rpc':
      return where.command ?? 'all commands';
    case 'http':
      return where.path === undefined && where.method === undefined
        ? 'all routes'
        : `${where.method ?? ANY} ${where.path ?? ANY}`;
    default:
      return where.on;
  }
}

function wrong(problem: string): LocalError {
  return new LocalError('FOOTBRIDGE_FAULT', `fault: ${problem}${/[.?]$/.test(problem) ? '' : '.'}`);
}
