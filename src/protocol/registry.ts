import type * as z from 'zod';
import type { Command } from './command.ts';
import * as activity from './commands/activity.ts';
import * as authorization from './commands/authorization.ts';
import * as browser from './commands/browser.ts';
import * as channel from './commands/channel.ts';
import * as embedded from './commands/embedded.ts';
import * as guild from './commands/guild.ts';
import * as overlay from './commands/overlay.ts';
import * as store from './commands/store.ts';
import * as subscription from './commands/subscription.ts';
import * as user from './commands/user.ts';
import * as video from './commands/video.ts';
import * as voice from './commands/voice.ts';
import type { EventDefinition } from './event.ts';
import * as activityEvents from './events/activity.ts';
import * as authorizationEvents from './events/authorization.ts';
import * as embeddedEvents from './events/embedded.ts';
import * as guildEvents from './events/guild.ts';
import * as relationshipEvents from './events/relationship.ts';
import * as sessionEvents from './events/session.ts';
import * as voiceEvents from './events/voice.ts';
import type { ready } from './shapes/common.ts';

/** All commands by their names in the protocol. */
export const commands = {
  ...activity,
  ...authorization,
  ...browser,
  ...channel,
  ...embedded,
  ...guild,
  ...overlay,
  ...store,
  ...subscription,
  ...user,
  ...video,
  ...voice,
};

/** All events by their names in the protocol. */
export const events = {
  ...activityEvents,
  ...authorizationEvents,
  ...embeddedEvents,
  ...guildEvents,
  ...relationshipEvents,
  ...sessionEvents,
  ...voiceEvents,
};

export type CommandName = keyof typeof commands;
export type EventName = keyof typeof events;
/** A command's arguments after validation. */
export type ArgsOf<C extends CommandName> = z.output<ReturnType<(typeof commands)[C]['args']>>;
/** Type of a core's answer to a command. */
export type ResultOf<C extends CommandName> = z.input<ReturnType<(typeof commands)[C]['result']>>;
/** An event's subscription arguments. */
export type EventArgsOf<E extends EventName> = z.output<ReturnType<(typeof events)[E]['args']>>;
/** An event's `data`. */
export type EventDataOf<E extends EventName> = z.input<ReturnType<(typeof events)[E]['data']>>;

/** Type of READY's `data` before validation. */
export type ReadyData = z.input<ReturnType<typeof ready>>;

/** Finds a command by a name from a peer. Only own properties count, so that inherited names are not found. */
export function findCommand(name: string): Command | undefined {
  return Object.hasOwn(commands, name) ? (commands[name as CommandName] as Command) : undefined;
}

/** Finds an event by a name from a peer. Only own properties count, so that inherited names are not found. */
export function findEvent(name: string): EventDefinition | undefined {
  return Object.hasOwn(events, name) ? (events[name as EventName] as EventDefinition) : undefined;
}
