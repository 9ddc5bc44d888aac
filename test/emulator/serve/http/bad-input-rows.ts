import * as z from 'zod';
import type { Operation } from '../../../../src/emulator/api/operation.ts';
import { isIdParam } from '../../../../src/emulator/serve/http/id-params.ts';
import type { PlatformRequest } from '../../../helpers/platform.ts';

/** A request with one thing wrong, and how it is refused. */
export interface Row {
  readonly wrong: string;
  readonly what: string;
  readonly request: PlatformRequest;
  readonly status: number;
  /** Undefined where deleting once more is no error. */
  readonly code: number | undefined;
  /** The field that the answer has to name; undefined where it is none. */
  readonly field?: string;
}

const INVALID_FORM = 50035;

/** No record of any test has it. */
const UNKNOWN_ID = '999999999999999999';

/** How the platform refuses what is not there, by the name in the path. */
const UNKNOWN: Readonly<Record<string, readonly [status: number, code: number]>> = {
  guild_id: [404, 10004],
  channel_id: [404, 10003],
  message_id: [404, 10008],
  user_id: [404, 10013],
  role_id: [404, 10011],
  application_id: [404, 10002],
  overwrite_id: [404, 10009],
  emoji_name: [400, 10014],
  integration_id: [404, 10005],
  code: [404, 10006],
  instance_id: [404, 0],
  interaction_id: [404, 10062],
  interaction_token: [404, 10062],
  emoji_id: [404, 10014],
  webhook_id: [404, 10015],
  webhook_token: [401, 50027],
  sku_id: [404, 10027],
  entitlement_id: [404, 10029],
  lobby_id: [404, 10031],
  sticker_id: [404, 10060],
  pack_id: [404, 10061],
  guild_scheduled_event_id: [404, 10070],
  command_id: [404, 10063],
  rule_id: [404, 10066],
  exception_id: [404, 10070],
  guild_scheduled_event_exception_id: [404, 10070],
  // Not published.
  request_id: [404, 0],
  subscription_id: [404, 0],
  answer_id: [404, 0],
  sound_id: [404, 10097],
  // Of two who have no channel no message is known.
  user_id_1: [404, 10008],
  user_id_2: [404, 10008],
};

/** The same where an operation has its own way. */
const UNKNOWN_THERE: Readonly<Record<string, readonly [status: number, code: number | undefined]>> = {
  // The token is of somebody else.
  'add_guild_member user_id': [403, 50025],
  'add_group_dm_user user_id': [400, 50033],
  'get_current_user_application_entitlements application_id': [403, 50001],
  'delete_lobby lobby_id': [204, undefined],
  'delete_lobby_member user_id': [204, undefined],
  'create_linked_lobby_guild_invite_for_user user_id': [404, 10007],
  'get_guild_ban user_id': [404, 10026],
  'unban_user_from_guild user_id': [404, 10026],
  'get_voice_state user_id': [404, 10065],
  'update_voice_state user_id': [404, 10065],
  'add_thread_member user_id': [404, 10007],
  'delete_thread_member user_id': [404, 10007],
  'get_thread_member user_id': [404, 10007],
  'get_guild_template code': [404, 10057],
  'sync_guild_template code': [404, 10057],
  'update_guild_template code': [404, 10057],
  'delete_guild_template code': [404, 10057],
};

/** Where an id may be one that nothing has, and why. */
const ANY: Readonly<Record<string, string>> = {
  'add_invite_target_user user_id': 'target users are kept as they are sent',
  'remove_invite_target_user user_id': 'target users are kept as they are sent',
};

/** How an operation is asked by somebody who may. */
export interface Good {
  readonly operation: Operation;
  readonly what: string;
  readonly request: PlatformRequest;
}

/** Each name in the path as an id that nothing has and, where it is an id, as a text that is none. */
export function pathRows({ operation, what, request }: Good): Row[] {
  const [method, address = ''] = what.split(' ');
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  const pattern = operation.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '([^/?]+)');
  const found = new RegExp(`^${pattern}(\\?.*)?$`).exec(address);
  if (found === null) throw new Error(`${operation.id} is not asked at ${operation.path}, but at ${address}`);
  const at = (place: number, value: string): string => {
    let index = -1;
    const path = operation.path.replaceAll(/\{\w+\}/g, () => {
      index += 1;
      return index === place ? value : (found[index + 1] ?? '');
    });
    return `${method} ${path}${found[names.length + 1] ?? ''}`;
  };
  return names.flatMap((name, place): Row[] => {
    const [status, code] = UNKNOWN_THERE[`${operation.id} ${name}`] ??
      UNKNOWN[name] ?? [404, `no code is known for {${name}}` as never];
    const unknown = { wrong: `an unknown ${name}`, what: at(place, UNKNOWN_ID), request, status, code };
    if (!isIdParam(name)) return [unknown];
    const zero = { ...unknown, wrong: `a ${name} of 0`, what: at(place, '0') };
    const none = { wrong: `a ${name} that is none`, what: at(place, '0x1'), request, status: 400 };
    const named = ANY[`${operation.id} ${name}`] === undefined ? [unknown, zero] : [];
    return [...named, { ...none, code: INVALID_FORM, field: name }];
  });
}

/** Values of every kind that JSON has, among them one beyond each bound. */
const CANDIDATES: readonly unknown[] = [
  null,
  -1,
  1e12,
  '',
  'x'.repeat(9000),
  'nothing that is listed',
  [[]],
  Array.from({ length: 1100 }, () => 'x'),
  { x: 1 },
];

interface Shape {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
}

function namesOf(shape: Shape): readonly string[] {
  return [...Object.keys(shape.properties ?? {}), ...(shape.anyOf ?? []).flatMap(namesOf)];
}

/** Whatever a body may not be: each field left out that must be there, and of each wrong type, too long or out of bounds. */
export function bodyRows({ operation, what, request }: Good): Row[] {
  const { body, notOffered } = operation;
  if (body === undefined || !body.kinds.includes('json')) return [];
  const { json: valid } = request;
  const { schema } = body;
  const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape;
  const row = (wrong: string, json: unknown, field?: string): Row => {
    const refused = { wrong, what, request: { ...request, json }, status: 400, code: INVALID_FORM };
    return field === undefined ? refused : { ...refused, field };
  };
  const isWrong = (json: unknown): boolean => !schema.safeParse(json).success;
  const whole = [null, 'x', 7, [], {}]
    .filter(isWrong)
    .map((json) => row(`a body ${JSON.stringify(json)}`, json));
  const [list, first] = Array.isArray(valid) ? [valid, valid[0] as unknown] : [undefined, valid];
  if (typeof first !== 'object' || first === null) return whole;
  const sent = (one: object): unknown => (list === undefined ? one : [one, ...list.slice(1)]);
  const names = namesOf(list === undefined ? shape : (shape.items ?? shape));
  const required = Object.keys(first).filter((name) => isWrong(sent(without(first, name))));
  const at = (name: string): string => (list === undefined ? name : '0');
  return [
    ...whole,
    ...required.map((name) => row(`no ${name}`, sent(without(first, name)), at(name))),
    // Of a field that is not offered, a schema reads at most how it is cleared.
    ...[...new Set(names)]
      .filter((name) => !notOffered.includes(name))
      .flatMap((name) =>
        CANDIDATES.map((value) => [value, sent({ ...first, [name]: value })] as const)
          .filter(([, json]) => isWrong(json))
          .map(([value, json]) => row(`${name} ${JSON.stringify(value).slice(0, 40)}`, json, at(name))),
      ),
  ];
}

function without(fields: object, name: string): object {
  return Object.fromEntries(Object.entries(fields).filter(([other]) => other !== name));
}
