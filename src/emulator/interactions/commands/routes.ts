import * as z from 'zod';
import { flagText, maybe } from '../../api/fields.ts';
import { bearer, bot, operationsFor } from '../../api/operation.ts';
import type { Base } from '../../api/world.ts';
import type { HasApplications } from '../../applications/applications.ts';
import { commandShape } from './answers.ts';
import { changed, created, fetched, listed, removed, replaced } from './handlers.ts';
import { allCommands, changedCommand, newCommand } from './requests.ts';

const defineOperation = operationsFor<Base & HasApplications>();

const ALL = '/applications/{application_id}/commands';
const ONE = '/applications/{application_id}/commands/{command_id}';
const GUILD_ALL = '/applications/{application_id}/guilds/{guild_id}/commands';
const GUILD_ONE = '/applications/{application_id}/guilds/{guild_id}/commands/{command_id}';

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

/** The routes of an application's commands, global and of one guild. */
export const commandOperations = [
  defineOperation({
    id: 'list_application_commands',
    summary: `The global commands of the application. ${LOCALIZED}`,
    route: `GET ${ALL}`,
    who,
    query,
    answers: { 200: z.array(commandShape) },
    handle: listed,
  }),
  defineOperation({
    id: 'create_application_command',
    summary: 'Creates a global command, or replaces the one with its name.',
    route: `POST ${ALL}`,
    who,
    body: newCommand,
    maxBodyBytes: MAX_COMMAND_BYTES,
    ours: UPSERT,
    answers: { 200: commandShape, 201: commandShape },
    handle: created,
  }),
  defineOperation({
    id: 'bulk_set_application_commands',
    summary: 'Replaces all global commands, or changes none.',
    route: `PUT ${ALL}`,
    who,
    body: allCommands,
    maxBodyBytes: MAX_BULK_BYTES,
    ours: BULK,
    answers: { 200: z.array(commandShape) },
    handle: replaced,
  }),
  defineOperation({
    id: 'get_application_command',
    summary: 'A global command.',
    route: `GET ${ONE}`,
    who,
    answers: { 200: commandShape },
    handle: fetched,
  }),
  defineOperation({
    id: 'update_application_command',
    summary: 'Changes a global command; absent fields stay.',
    route: `PATCH ${ONE}`,
    who,
    body: changedCommand,
    maxBodyBytes: MAX_COMMAND_BYTES,
    answers: { 200: commandShape },
    handle: changed,
  }),
  defineOperation({
    id: 'delete_application_command',
    summary: 'Deletes a global command.',
    route: `DELETE ${ONE}`,
    who,
    answers: { 204: null },
    handle: removed,
  }),
  defineOperation({
    id: 'list_guild_application_commands',
    summary: `The commands of the application for one guild. ${LOCALIZED}`,
    route: `GET ${GUILD_ALL}`,
    who,
    query,
    answers: { 200: z.array(commandShape) },
    handle: listed,
  }),
  defineOperation({
    id: 'create_guild_application_command',
    summary: 'Creates a command for one guild, or replaces the one with its name.',
    route: `POST ${GUILD_ALL}`,
    who,
    body: newCommand,
    maxBodyBytes: MAX_COMMAND_BYTES,
    ours: `${UPSERT} \`contexts\` and \`integration_types\` have no effect for a command of one guild.`,
    answers: { 200: commandShape, 201: commandShape },
    handle: created,
  }),
  defineOperation({
    id: 'bulk_set_guild_application_commands',
    summary: 'Replaces all commands of one guild, or changes none.',
    route: `PUT ${GUILD_ALL}`,
    who,
    body: allCommands,
    maxBodyBytes: MAX_BULK_BYTES,
    ours: BULK,
    answers: { 200: z.array(commandShape) },
    handle: replaced,
  }),
  defineOperation({
    id: 'get_guild_application_command',
    summary: 'A command for one guild.',
    route: `GET ${GUILD_ONE}`,
    who,
    answers: { 200: commandShape },
    handle: fetched,
  }),
  defineOperation({
    id: 'update_guild_application_command',
    summary: 'Changes a command for one guild; absent fields stay.',
    route: `PATCH ${GUILD_ONE}`,
    who,
    body: changedCommand,
    maxBodyBytes: MAX_COMMAND_BYTES,
    answers: { 200: commandShape },
    handle: changed,
  }),
  defineOperation({
    id: 'delete_guild_application_command',
    summary: 'Deletes a command for one guild.',
    route: `DELETE ${GUILD_ONE}`,
    who,
    answers: { 204: null },
    handle: removed,
  }),
];
