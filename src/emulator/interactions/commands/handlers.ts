import type { IncomingHttpHeaders } from 'node:http';
import type * as z from 'zod';
import type { BotCaller, TokenCaller } from '../../api/caller.ts';
import { noContent, ok, type Reply } from '../../api/operation.ts';
import type { Base } from '../../api/world.ts';
import type { HasApplications } from '../../applications/applications.ts';
import { commandAnswer } from './answers.ts';
import { localeOf } from './locales.ts';
import { definitionOf } from './records.ts';
import { changeCommand, putCommand, setCommands } from './register.ts';
import {
  type allCommands,
  type changedCommand,
  definitionAfter,
  type NewCommand,
  newDefinition,
  refuseFaults,
  requestFaults,
} from './requests.ts';
import { commandIn, commandsIn, needListed, type Scope, scopeOf } from './scope.ts';

/** Services that these functions need. */
type Needs = Base & HasApplications;

// The handlers serve the commands of the guild that the path names and, without a guild in the path, the global
// commands.

interface Request {
  readonly caller: BotCaller | TokenCaller;
  readonly params: { readonly application_id: string; readonly guild_id?: string };
}

interface RequestOfOne extends Request {
  readonly params: Request['params'] & { readonly command_id: string };
}

const where = ({ guild }: Scope) => ({ isOfGuild: guild !== null });

/** Answers with all commands. */
export function listed(
  {
    caller,
    params,
    query,
    headers,
  }: Request & {
    readonly query: { readonly with_localizations?: boolean | undefined };
    readonly headers: IncomingHttpHeaders;
  },
  platform: Needs,
): Reply {
  const { world } = platform;
  const scope = scopeOf(caller, params, platform);
  const account = caller.kind === 'bot' ? caller.user : world.tables.users.get(caller.userId);
  const locale =
    query.with_localizations === true ? undefined : (localeOf(headers) ?? account?.locale ?? 'en-US');
  return ok(commandsIn(world, scope).map((command) => commandAnswer(command, locale)));
}

/** Answers with one command. */
export function fetched({ caller, params }: RequestOfOne, platform: Needs): Reply {
  const scope = scopeOf(caller, params, platform);
  return ok(commandAnswer(commandIn(platform.world, scope, params.command_id)));
}

/** Creates a command. */
export function created(
  { caller, params, body }: Request & { readonly body: NewCommand },
  platform: Needs,
): Reply {
  const scope = scopeOf(caller, params, platform);
  needListed(platform.world, scope.application);
  const definition = newDefinition(body, where(scope));
  refuseFaults(requestFaults(definition, body, where(scope)));
  const { command, isNew } = putCommand(platform, scope, definition);
  return { status: isNew ? 201 : 200, body: commandAnswer(command) };
}

/** Changes a command. */
export function changed(
  { caller, params, body }: RequestOfOne & { readonly body: z.output<typeof changedCommand> },
  platform: Needs,
): Reply {
  const scope = scopeOf(caller, params, platform);
  const before = commandIn(platform.world, scope, params.command_id);
  const after = definitionAfter(definitionOf(before), { ...body, type: before.type }, where(scope));
  refuseFaults(requestFaults(after, body, where(scope)));
  return ok(commandAnswer(changeCommand(platform, before, after)));
}

/** Removes a command with its permissions. */
export function removed({ caller, params }: RequestOfOne, platform: Needs): Reply {
  const { world } = platform;
  const { id } = commandIn(world, scopeOf(caller, params, platform), params.command_id);
  world.transaction((tables) => tables.commands.remove(id));
  return noContent();
}

/** Replaces all commands. */
export function replaced(
  { caller, params, body }: Request & { readonly body: z.output<typeof allCommands> },
  platform: Needs,
): Reply {
  const scope = scopeOf(caller, params, platform);
  needListed(platform.world, scope.application);
  const sent = body ?? [];
  const wanted = sent.map((one) => ({
    id: one.id ?? undefined,
    definition: newDefinition(one, where(scope)),
  }));
  refuseFaults(
    wanted.flatMap(({ definition }, index) =>
      requestFaults(definition, sent[index] ?? {}, where(scope)).map((fault) => ({
        ...fault,
        path: [index, ...fault.path],
      })),
    ),
  );
  return ok(setCommands(platform, scope, wanted).map((command) => commandAnswer(command)));
}
