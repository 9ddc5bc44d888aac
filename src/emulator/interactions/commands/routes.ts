import * as z from 'zod';
import { flagText, maybe } from '../../api/fields.ts';
import { bearer, bot, operationsFor } from '../../api/operation.ts';
import type { Base } from '../../api/world.ts';
import type { HasApplications } from '../../applications/applications.ts';
import { commandShape } from './answers.ts';
import { changed, created, listed, removed, replaced, shown } from './handling.ts';
import { allCommands, changedCommand, newCommand } from './requests.ts';

const defineOperation = operationsFor<Base & HasApplications>();

const ALL = '/applications/{application_id}/commands';
const ONE = '/applications/{application_id}/commands/{command_id}';
const GUILD_ALL = '/applications/{application_id}/guilds/{guild_id}/commands';
const GUILD_ONE = '/applications/{application_id}/guilds/{guild_id}/commands/{command_id}';

const who = [bot, bearer('applications.commands.update')] as const;
const query = z.object({ with_localizations: maybe(flagText()) });
/** A command has 8,000 characters, and several bytes and languages for each. */
const LARGEST_ONE = 2 * 1024 * 1024;
const LARGEST_ALL = 8 * 1024 * 1024;

const UPSERT =
  'A command with its name, of its kind, is replaced and keeps its id (200); any other is new (201). A day of 200 new ones begins with the first of them. What an option of its type cannot have is dropped, and so is `handler` of anything but an entry point.';
const BULK =
  'Those that go on with the same name, or the id that is sent, keep their ids, and their versions where nothing changed.';
const LOCALIZED =
  'With `with_localizations` in every language; without in that of `X-Discord-Locale`, of `Accept-Language`, or of the account.';

/** The routes of the commands of an application: those in all guilds, and those of one. */
export const commandOperations = [
  defineOperation({
    id: 'list_application_commands',
    summary: `The commands of the application in all guilds. ${LOCALIZED}`,
    method: 'GET',
    path: ALL,
    who,
    query,
    answers: { 200: z.array(commandShape) },
    handle: listed,
  }),
  defineOperation({
    id: 'create_application_command',
    summary: 'Makes a command for all guilds, or replaces the one of its name.',
    method: 'POST',
    path: ALL,
    who,
    body: { kinds: ['json'], schema: newCommand, most: LARGEST_ONE },
    ours: UPSERT,
    answers: { 200: commandShape, 201: commandShape },
    handle: created,
  }),
  defineOperation({
    id: 'bulk_set_application_commands',
    summary: 'Makes these the only commands for all guilds, all of them or none.',
    method: 'PUT',
    path: ALL,
    who,
    body: { kinds: ['json'], schema: allCommands, most: LARGEST_ALL },
    ours: BULK,
    answers: { 200: z.array(commandShape) },
    handle: replaced,
  }),
  defineOperation({
    id: 'get_application_command',
    summary: 'A command for all guilds.',
    method: 'GET',
    path: ONE,
    who,
    answers: { 200: commandShape },
    handle: shown,
  }),
  defineOperation({
    id: 'update_application_command',
    summary: 'Changes a command for all guilds; what is left out stays.',
    method: 'PATCH',
    path: ONE,
    who,
    body: { kinds: ['json'], schema: changedCommand, most: LARGEST_ONE },
    answers: { 200: commandShape },
    handle: changed,
  }),
  defineOperation({
    id: 'delete_application_command',
    summary: 'Takes a command for all guilds away.',
    method: 'DELETE',
    path: ONE,
    who,
    answers: { 204: null },
    handle: removed,
  }),
  defineOperation({
    id: 'list_guild_application_commands',
    summary: `The commands of the application in one guild alone. ${LOCALIZED}`,
    method: 'GET',
    path: GUILD_ALL,
    who,
    query,
    answers: { 200: z.array(commandShape) },
    handle: listed,
  }),
  defineOperation({
    id: 'create_guild_application_command',
    summary: 'Makes a command for one guild, or replaces the one of its name.',
    method: 'POST',
    path: GUILD_ALL,
    who,
    body: { kinds: ['json'], schema: newCommand, most: LARGEST_ONE },
    ours: `${UPSERT} \`contexts\` and \`integration_types\` say nothing of a command of one guild.`,
    answers: { 200: commandShape, 201: commandShape },
    handle: created,
  }),
  defineOperation({
    id: 'bulk_set_guild_application_commands',
    summary: 'Makes these the only commands for one guild, all of them or none.',
    method: 'PUT',
    path: GUILD_ALL,
    who,
    body: { kinds: ['json'], schema: allCommands, most: LARGEST_ALL },
    ours: BULK,
    answers: { 200: z.array(commandShape) },
    handle: replaced,
  }),
  defineOperation({
    id: 'get_guild_application_command',
    summary: 'A command for one guild.',
    method: 'GET',
    path: GUILD_ONE,
    who,
    answers: { 200: commandShape },
    handle: shown,
  }),
  defineOperation({
    id: 'update_guild_application_command',
    summary: 'Changes a command for one guild; what is left out stays.',
    method: 'PATCH',
    path: GUILD_ONE,
    who,
    body: { kinds: ['json'], schema: changedCommand, most: LARGEST_ONE },
    answers: { 200: commandShape },
    handle: changed,
  }),
  defineOperation({
    id: 'delete_guild_application_command',
    summary: 'Takes a command for one guild away.',
    method: 'DELETE',
    path: GUILD_ONE,
    who,
    answers: { 204: null },
    handle: removed,
  }),
];
