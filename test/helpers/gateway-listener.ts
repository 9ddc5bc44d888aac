import { onTestFinished } from 'vitest';
import { type GatewayListener, INTENTS } from '../../src/emulator/api/dispatch.ts';
import type { Emulator } from '../../src/emulator/compose/emulator.ts';
import type { Permission } from '../../src/emulator/kernel/permission-bits.ts';
import { type BotPlatform, botPlatform } from './bot-member.ts';
import { ids } from './emulator-world.ts';
import { expectDeclared } from './gateway-told.ts';
import { APP, type PlatformAnswer } from './platform.ts';

/** One event of the gateway. */
export interface Heard {
  readonly event: string;
  // A test knows what it asked for.
  // biome-ignore lint/suspicious/noExplicitAny: every event has another shape
  readonly data: any;
}

/** Bits of all intents. */
export const ALL_INTENTS = Object.values(INTENTS).reduce((bits, bit) => bits | bit, 0);

/**
 * Listens at the gateway without a socket, as the bot of an application with all intents unless told; the returned
 * function gives what was heard since it was asked the last time. Whatever does not fit the declared shape of its event
 * is an error. Ends with the test.
 */
export async function listen(
  emulator: Emulator,
  fields: Partial<GatewayListener> = {},
): Promise<() => Heard[]> {
  const application = emulator.tables.applications.get(APP);
  if (application === undefined) throw new Error(`there is no application ${APP}`);
  const heard: Heard[] = [];
  const stop = await emulator.gateway.listen({
    listener: {
      kind: 'bot',
      application,
      user: APP,
      scopes: [],
      intents: ALL_INTENTS,
      capabilities: 0,
      shard: [0, 1],
      base: 'http://127.0.0.1:1/api',
      ...fields,
    },
    take: (event, text) => heard.push({ event, data: JSON.parse(text) }),
  });
  onTestFinished(stop);
  return () => {
    const told = heard.splice(0);
    for (const { event, data } of told) expectDeclared(event, data);
    return told;
  };
}

/** A bot that listens, and does things in River Bank. */
export interface ListeningBot extends BotPlatform {
  /** What it was told since the last call. */
  readonly heard: () => Heard[];
  /** Asks; gives the body of what has to be an answer. */
  readonly done: (what: string, json?: unknown) => Promise<PlatformAnswer['body']>;
  /** Patches the state. */
  readonly apply: (change: object) => Promise<unknown>;
  /** Patches River Bank. */
  readonly guild: (change: object) => Promise<unknown>;
  /** Gives the bot these permissions and no others; everybody else looks and writes. */
  readonly may: (...permissions: readonly Permission[]) => Promise<unknown>;
}

/** Starts one that may everything, and stands above all others. */
export async function listeningBot(): Promise<ListeningBot> {
  const platform = await botPlatform();
  const apply = (change: object) => platform.emulator.apply(change);
  const guild = (change: object) => apply({ guilds: [{ id: ids.riverBank, ...change }] });
  const role = { id: '46', name: 'top', position: 50 };
  const may = (...permissions: readonly string[]) => guild({ roles: [{ ...role, permissions }] });
  await platform.only('VIEW_CHANNEL', 'SEND_MESSAGES');
  await may('ADMINISTRATOR');
  await guild({ members: [{ user: APP, roles: [role.id] }] });
  return {
    ...platform,
    heard: await listen(platform.emulator),
    done: async (what, json) => {
      const { status, body } = await platform.ask(what, json);
      if (status >= 400) throw new Error(`${what}: ${status} ${JSON.stringify(body)}`);
      return body;
    },
    apply,
    guild,
    may,
  };
}
