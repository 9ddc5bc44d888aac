import * as z from 'zod';
import { flagText, maybe } from '../../api/fields.ts';
import { bearer, bot, noContent, type Operation, ok, operationsFor } from '../../api/operation.ts';
import type { Base } from '../../api/world.ts';
import type { HasApplications } from '../../applications/applications.ts';
import { commandAnswer, commandShape } from './answers.ts';
import { localeOf } from './locales.ts';
import { definitionOf } from './records.ts';
import { changeCommand, putCommand, setCommands } from './register.ts';
import {
  allCommands,
  changedCommand,
  definitionAfter,
  newCommand,
  newDefinition,
  refuseFaults,
  requestFaults,
} from './requests.ts';
import { commandIn, commandsIn, needListed, scopeOf } from './scope.ts';

/** Services that these operations need. */
type Needs = Base & HasApplications;

const defineOperation = operationsFor<Needs>();

const GLOBAL = '/applications/{application_id}/commands';
const OF_GUILD = '/applications/{application_id}/guilds/{guild_id}/commands';

const who = [bot, bearer('applications.commands.update')] as const;
const query = z.object({ with_localizations: maybe(flagText()) });

/**
 * Maximum size of a request body for one command and for a bulk request (bytes). A command has up to 8,000 characters,
 * each of several bytes, and its translations.
 */
const MAX_COMMAND_BYTES = 2 * 1024 * 1024;
const MAX_BULK_BYTES = 8 * 1024 * 1024;

const UPSERT =
  'A command with the same name and type is replaced and keeps its id (200); any other is new (201). The limit of 200 new commands per day counts from the first of them. Fields that an option type does not have are dropped, and `handler` is dropped except for an entry point.';
const BULK =
  'Commands with the same name, or with a sent id, keep their ids, and their versions where nothing changed.';
const LOCALIZED =
  '`with_localizations` returns all languages; without it, only that of `X-Discord-Locale`, of `Accept-Language`, or of the account.';

/** Texts of the routes of one scope. */
interface ScopeTexts {
  /** Beginning of the noun in the operations' ids. */
  readonly prefix: '' | 'guild_';
  readonly list: string;
  /** One command, and all of them. */
  readonly noun: string;
  readonly nouns: string;
  /** What is special about a new command. */
  readonly created: string;
}

/** The routes of the commands below a path: of the guild that the path names, or the global commands. */
function commandRoutes(
  all: typeof GLOBAL | typeof OF_GUILD,
  { prefix, list, noun, nouns, created }: ScopeTexts,
): readonly Operation<Needs>[] {
  const one = `${all}/{command_id}` as const;
  return [
    defineOperation({
      id: `list_${prefix}application_commands`,
      summary: `${list} ${LOCALIZED}`,
      route: `GET ${all}`,
      who,
      query,
      answers: { 200: z.array(commandShape) },
      handle: ({ caller, params, query: { with_localizations }, headers }, platform) => {
        const { world } = platform;
        const scope = scopeOf(caller, params, platform);
        const account = caller.kind === 'bot' ? caller.user : world.tables.users.get(caller.userId);
        const locale =
          with_localizations === true ? undefined : (localeOf(headers) ?? account?.locale ?? 'en-US');
        return ok(commandsIn(world, scope).map((command) => commandAnswer(command, locale)));
      },
    }),
    defineOperation({
      id: `create_${prefix}application_command`,
      summary: `Creates a ${noun}, or replaces the one with its name.`,
      route: `POST ${all}`,
      who,
      body: newCommand,
      maxBodyBytes: MAX_COMMAND_BYTES,
      ours: created,
      answers: { 200: commandShape, 201: commandShape },
      handle: ({ caller, params, body }, platform) => {
        const scope = scopeOf(caller, params, platform);
        needListed(platform.world, scope.application);
        const definition = newDefinition(body, scope);
        refuseFaults(requestFaults(definition, body, scope));
        const { command, isNew } = putCommand(platform, scope, definition);
        return { status: isNew ? 201 : 200, body: commandAnswer(command) };
      },
    }),
    defineOperation({
      id: `bulk_set_${prefix}application_commands`,
      summary: `Replaces all ${nouns}, or changes none.`,
      route: `PUT ${all}`,
      who,
      body: allCommands,
      maxBodyBytes: MAX_BULK_BYTES,
      ours: BULK,
      answers: { 200: z.array(commandShape) },
      handle: ({ caller, params, body }, platform) => {
        const scope = scopeOf(caller, params, platform);
        needListed(platform.world, scope.application);
        const sent = (body ?? []).map((request) => ({ request, definition: newDefinition(request, scope) }));
        refuseFaults(
          sent.flatMap(({ request, definition }, index) =>
            requestFaults(definition, request, scope).map((fault) => ({
              ...fault,
              path: [index, ...fault.path],
            })),
          ),
        );
        const wanted = sent.map(({ request: { id }, definition }) => ({ id: id ?? undefined, definition }));
        return ok(setCommands(platform, scope, wanted).map((command) => commandAnswer(command)));
      },
    }),
    defineOperation({
      id: `get_${prefix}application_command`,
      summary: `A ${noun}.`,
      route: `GET ${one}`,
      who,
      answers: { 200: commandShape },
      handle: ({ caller, params }, platform) => {
        const scope = scopeOf(caller, params, platform);
        return ok(commandAnswer(commandIn(platform.world, scope, params.command_id)));
      },
    }),
    defineOperation({
      id: `update_${prefix}application_command`,
      summary: `Changes a ${noun}; absent fields stay.`,
      route: `PATCH ${one}`,
      who,
      body: changedCommand,
      maxBodyBytes: MAX_COMMAND_BYTES,
      answers: { 200: commandShape },
      handle: ({ caller, params, body }, platform) => {
        const scope = scopeOf(caller, params, platform);
        const before = commandIn(platform.world, scope, params.command_id);
        const after = definitionAfter(definitionOf(before), { ...body, type: before.type }, scope);
        refuseFaults(requestFaults(after, body, scope));
        return ok(commandAnswer(changeCommand(platform, before, after)));
      },
    }),
    defineOperation({
      id: `delete_${prefix}application_command`,
      summary: `Deletes a ${noun}.`,
      route: `DELETE ${one}`,
      who,
      answers: { 204: null },
      handle: ({ caller, params }, platform) => {
        const { world } = platform;
        const { id } = commandIn(world, scopeOf(caller, params, platform), params.command_id);
        world.transaction((tables) => tables.commands.remove(id));
        return noContent();
      },
    }),
  ];
}

/** The routes of an application's commands, global and of one guild. */
export const commandOperations = [
  ...commandRoutes(GLOBAL, {
    prefix: '',
    list: 'The global commands of the application.',
    noun: 'global command',
    nouns: 'global commands',
    created: UPSERT,
  }),
  ...commandRoutes(OF_GUILD, {
    prefix: 'guild_',
    list: 'The commands of the application for one guild.',
    noun: 'command for one guild',
    nouns: 'commands of one guild',
    created: `${UPSERT} \`contexts\` and \`integration_types\` have no effect for a command of one guild.`,
  }),
];
