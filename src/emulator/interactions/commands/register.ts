import { ApiError, invalidForm } from '../../api/api-error.ts';
import type { Base, World, Writing } from '../../api/world.ts';
import type { FieldFault } from '../../kernel/errors.ts';
import { isSameJson } from '../../kernel/same-json.ts';
import { type Definition, KINDS, MAX_COMMANDS_BY_TYPE } from './definition.ts';
import { type CommandRecord, definitionOf, nameKey } from './records.ts';
import { commandsIn, type Scope } from './scope.ts';

/** Maximum number of commands that an application creates per guild, or globally, per day. */
const CREATES_A_DAY = 200;
const DAY_MS = 86_400_000;

/**
 * Creates a command, or replaces the command with the same name; `isNew` is true for a created command. @throws
 * ApiError 30032, 30034.
 */
export function putCommand(
  { world, clock }: Base,
  scope: Scope,
  definition: Definition,
): { readonly command: CommandRecord; readonly isNew: boolean } {
  const now = clock.now();
  return world.transaction((tables) => {
    const before = named(world, scope, definition);
    if (before !== undefined)
      return { command: replace(world, tables, before, definition, now), isNew: false };
    checkRoom([...commandsIn(world, scope), definition]);
    countCreates(tables, scope, 1, now);
    return { command: insert(world, tables, scope, definition, now), isNew: true };
  });
}

/** Changes a command. @throws ApiError 40041 when another command has the new name. */
export function changeCommand(
  { world, clock }: Base,
  before: CommandRecord,
  after: Definition,
): CommandRecord {
  return world.transaction((tables) => {
    const [other] = tables.commands.by('name', nameKey({ ...before, name: after.name }));
    if (other !== undefined && other.id !== before.id) {
      throw new ApiError('ApplicationCommandWithThatNameAlreadyExists');
    }
    return replace(world, tables, before, after, clock.now());
  });
}

/** A command that a bulk request asks for. `id` names an existing command to replace. */
export interface Wanted {
  readonly id: string | undefined;
  readonly definition: Definition;
}

/**
 * Replaces all commands or changes none. Commands of the same name or id retain their identity.
 * @throws ApiError 50035 for a duplicate name, 10063, 30032, 30034, 50240 where an entry point would be removed.
 */
export function setCommands(
  { world, clock }: Base,
  scope: Scope,
  wanted: readonly Wanted[],
): CommandRecord[] {
  const now = clock.now();
  refuseSameNames(wanted);
  return world.transaction((tables) => {
    const there = commandsIn(world, scope);
    const claimed = new Set(wanted.map(({ id }) => id));
    const free = there.filter(({ id }) => !claimed.has(id));
    const matched = wanted.map((one) => ({
      ...one,
      before: formerOf(one, one.id === undefined ? free : there),
    }));
    checkRoom(wanted.map(({ definition }) => definition));
    const matchedIds = new Set(matched.map(({ before }) => before?.id));
    const lost = there.filter(({ id }) => !matchedIds.has(id));
    if (lost.some(({ type }) => type === KINDS.primary_entry_point))
      throw new ApiError('CannotRemoveEntryPointCommandInBulkUpdate');
    countCreates(tables, scope, matched.filter(({ before }) => before === undefined).length, now);
    for (const { id } of lost) tables.commands.remove(id);
    // Two commands may swap their names, so both are removed before they are inserted again.
    for (const { before, definition } of matched) {
      if (before !== undefined && before.name !== definition.name) tables.commands.remove(before.id);
    }
    return matched.map(({ before, definition }) =>
      before === undefined
        ? insert(world, tables, scope, definition, now)
        : replace(world, tables, before, definition, now),
    );
  });
}

function refuseSameNames(wanted: readonly Wanted[]): void {
  const names = new Set<string>();
  const ids = new Set<string>();
  const faults: FieldFault[] = [];
  for (const [index, { id, definition }] of wanted.entries()) {
    const name = `${definition.type} ${definition.name}`;
    if (names.has(name) || (id !== undefined && ids.has(id))) {
      const message = 'Application command names must be unique';
      faults.push({ path: [index], code: 'APPLICATION_COMMANDS_DUPLICATE_NAME', message });
    }
    names.add(name);
    if (id !== undefined) ids.add(id);
  }
  if (faults.length > 0) throw invalidForm(faults);
}

/** The existing command that a desired one replaces: by its id, by its name, or as the only one of its type. */
function formerOf({ id, definition }: Wanted, there: readonly CommandRecord[]): CommandRecord | undefined {
  const { type, name } = definition;
  const ofKind = there.filter((one) => one.type === type);
  if (id === undefined) {
    return type === KINDS.primary_entry_point ? ofKind[0] : ofKind.find((one) => one.name === name);
  }
  const former = ofKind.find((one) => one.id === id);
  if (former === undefined) throw new ApiError('UnknownApplicationCommand');
  return former;
}

function named(
  { tables }: World,
  { application, guild }: Scope,
  { type, name }: Definition,
): CommandRecord | undefined {
  const [found] = tables.commands.by('name', nameKey({ application: application.id, guild, type, name }));
  return found;
}

function insert(
  world: World,
  tables: Writing,
  { application, guild }: Scope,
  definition: Definition,
  now: number,
): CommandRecord {
  const id = world.ids.next(now, (taken) => tables.commands.has(taken));
  return tables.commands.insert({
    ...definition,
    id,
    application: application.id,
    guild,
    version: world.ids.next(now),
  } as CommandRecord);
}

/**
 * Replaces a command. A changed definition gets a new version, and a changed name removes the command's permissions.
 */
function replace(
  world: World,
  tables: Writing,
  before: CommandRecord,
  after: Definition,
  now: number,
): CommandRecord {
  if (isSameJson(definitionOf(before), after)) return before;
  if (before.name !== after.name) {
    for (const { guild, command } of [...tables.command_permissions.by('command', before.id)]) {
      tables.command_permissions.remove(`${guild} ${command}`);
    }
  }
  const { id, application, guild } = before;
  return tables.commands.put({
    ...after,
    id,
    application,
    guild,
    version: world.ids.next(now),
  } as CommandRecord);
}

/** Checks the number of commands. @throws ApiError 30032 when there are more commands of a type than the limit. */
function checkRoom(commands: readonly { readonly type: number }[]): void {
  for (const kind of Object.values(KINDS)) {
    const max = MAX_COMMANDS_BY_TYPE[kind] ?? 0;
    if (commands.filter(({ type }) => type === kind).length <= max) continue;
    throw new ApiError('MaximumNumberOfApplicationCommandsReached', { limit: max });
  }
}

/**
 * Counts new commands; a count starts with the first new command and lasts a day. @throws ApiError 429 with code 30034.
 */
function countCreates(tables: Writing, { application, guild }: Scope, more: number, now: number): void {
  if (more === 0) return;
  const { command_creates: counts } = tables;
  const scope = guild ?? '';
  const known = counts.get(application.id, scope);
  // A count that starts in the future was made before the clock was set back, so it no longer applies.
  const isOpen = known !== undefined && known.since <= now && now < known.since + DAY_MS;
  const { since, made } = isOpen ? known : { since: now, made: 0 };
  if (made + more > CREATES_A_DAY) throw tooManyCreates((since + DAY_MS - now) / 1000);
  counts.put({ application: application.id, scope, since, made: made + more });
  for (const { scope: other, since: begun } of [...counts.by('application', application.id)]) {
    if (now >= begun + DAY_MS) counts.remove(`${application.id} ${other}`);
  }
}

function tooManyCreates(seconds: number): ApiError {
  return new ApiError('MaximumDailyApplicationCommandCreatesReached', {
    limit: CREATES_A_DAY,
    more: { retry_after: seconds, global: false },
    headers: { 'Retry-After': String(Math.ceil(seconds)), 'X-RateLimit-Scope': 'shared' },
  });
}
