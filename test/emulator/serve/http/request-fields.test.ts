import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { itemNodes, memberNodes, shapesOf } from '../../../../src/base/schema-node.ts';
import { SNOWFLAKE_FORMAT } from '../../../../src/emulator/api/fields.ts';
import type { Access, Operation } from '../../../../src/emulator/api/operation.ts';
import { schemaNode } from '../../../../src/emulator/api/schema-node.ts';
import { operations } from '../../../../src/emulator/compose/operations.ts';
import { publicDocument } from '../../../helpers/public-document.ts';
import { type PublicRequest, publicRequests } from '../../../helpers/public-requests.ts';

/** Where our requests differ from the document, and why: by operation, then by what differs. */
const DIFFERENCES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  get_my_oauth2_authorization: { 'who: bot': 'a bot has no authorization: the prose has it for people only' },
  set_guild_application_command_permissions: {
    'who: bot': 'who says it manages the guild: the prose refuses a token of a bot',
  },
  create_or_join_lobby: { 'who: bot': 'a bot is in no lobby: the prose has it for people only' },
  edit_lobby_channel_link: { 'who: bot': 'who links is a member: the prose has it for people only' },
  create_linked_lobby_guild_invite_for_self: {
    'who: bot': 'a bot is in no lobby: the prose has it for people only',
  },
  leave_lobby: { 'who: bot': 'a bot is in no lobby: the prose has it for people only' },
  get_lobby_messages: { 'who: bot': 'a bot is in no lobby: the prose has it for people only' },
  create_lobby_message: { 'who: bot': 'a bot is in no lobby: the prose has it for people only' },
  get_openid_connect_userinfo: { 'who: bot': 'a bot has no claims: the prose has it for people only' },
};

/** Fields that the platform fills in by itself, and reads nothing of when they are sent. */
const FILLED_IN = [
  /(^|\.)embeds\.\[\]\.(type|provider|video)(\.|$)/,
  /(^|\.)embeds\.\[\]\.(image|thumbnail)\.(?!url$)/,
];

/** Operations whose lists are checked with the rest of a command, also in a fixture. */
const CHECKED_APART = /application_command/;

interface Node {
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
  /** Shapes that a field tells apart. */
  readonly oneOf?: readonly Node[];
}

/** The fields that a schema of ours reads: `a`, `a.b`, `[].a`. */
function fieldsOf(node: Node, place = ''): string[] {
  return [
    ...Object.entries(node.properties ?? {}).flatMap(([name, inner]) => [
      `${place}${name}`,
      ...fieldsOf(inner, `${place}${name}.`),
    ]),
    ...(node.items === undefined ? [] : fieldsOf(node.items, `${place}[].`)),
    ...[...(node.anyOf ?? []), ...(node.oneOf ?? [])].flatMap((one) => fieldsOf(one, place)),
  ];
}

function ours({ query, body, notOffered }: Operation): ReadonlySet<string> {
  const schemas = [query, body?.schema].filter((schema) => schema !== undefined);
  return new Set([
    ...schemas.flatMap((schema) =>
      fieldsOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Node),
    ),
    ...(body?.files?.fields ?? []),
    ...notOffered,
  ]);
}

/** A field inside of one that is refused, or read whole, needs no word of its own. */
function isKnown(field: string, known: ReadonlySet<string>, whole: ReadonlySet<string>): boolean {
  if (known.has(field)) return true;
  return [...whole].some((name) => field.startsWith(`${name}.`));
}

/** Everything of a request that the document has and we neither read nor refuse. */
function faultsOf(operation: Operation, described: PublicRequest): string[] {
  const known = ours(operation);
  const leaves = new Set(
    [...known].filter((name) => ![...known].some((other) => other.startsWith(`${name}.`))),
  );
  const kinds = new Set<string>(operation.body?.kinds);
  const who = new Set(operation.who.flatMap(nameOf));
  // `files[0]`, `files[1]` and so on are one declared field.
  const fields = new Set(described.fields.map((field) => field.replace(/^files\[\d+\]$/, 'files[n]')));
  const read = [...fields].filter((field) => !FILLED_IN.some((known) => known.test(field)));
  return [
    ...read.filter((field) => !isKnown(field, known, leaves)).map((field) => `field: ${field}`),
    ...described.kinds.filter((kind) => !kinds.has(kind)).map((kind) => `body: ${kind}`),
    ...described.who.filter((one) => !who.has('anybody') && !who.has(one)).map((one) => `who: ${one}`),
  ];
}

/** The shapes that a schema has at a place. */
function shapesAt(schema: z.ZodType, place: string) {
  const root = schemaNode(schema, 'input');
  let shapes = shapesOf(root, root);
  for (const part of place.split('.')) {
    const below = part === '[]' ? itemNodes(shapes) : memberNodes(shapes, part);
    shapes = below.flatMap((node) => shapesOf(node, root));
  }
  return shapes;
}

/** Places of a public body that the operation reads. */
function readOf({ notOffered }: Operation, places: readonly string[]): string[] {
  return places.filter((place) => !notOffered.some((field) => `${place}.`.startsWith(`${field}.`)));
}

function nameOf(access: Access): string[] {
  switch (access.kind) {
    case 'bot':
      return ['bot'];
    case 'bearer':
      return ['bearer'];
    case 'anybody':
    // It says in the body who it is.
    case 'client':
      return ['anybody'];
  }
}

describe.skipIf(publicDocument === undefined)(
  'a request of the public document (requires OPENAPI_DOCUMENT, or a document beside the checkout)',
  () => {
    const described = new Map(
      publicDocument === undefined
        ? []
        : publicRequests(publicDocument).map((one) => [one.operationId, one] as const),
    );
    const offered = operations.flatMap((operation): [string, Operation, PublicRequest][] => {
      const request = described.get(operation.id);
      return request === undefined ? [] : [[operation.id, operation, request]];
    });

    it('exists for more than 15 operations [W-1]', () => expect(offered.length).toBeGreaterThan(15));

    it.each(offered)('of %s has only fields that are read, or refused by name', (id, operation, request) => {
      expect(faultsOf(operation, request).sort()).toEqual(Object.keys(DIFFERENCES[id] ?? {}).sort());
    });

    const withIds = offered.filter(([, { body }, { ids }]) => body !== undefined && ids.length > 0);

    it.each(withIds)('of %s may have each id of its body as a 64-bit number', (_id, operation, request) => {
      // The digits of a number are kept where the schema says that it is an id.
      const isExact = (place: string) =>
        shapesAt(operation.body?.schema as z.ZodType, place).some(
          ({ format }) => format === SNOWFLAKE_FORMAT,
        );
      expect(readOf(operation, request.ids).filter((id) => !isExact(id))).toEqual([]);
    });

    const withSets = offered.filter(
      ([id, { body }, { sets }]) => body !== undefined && sets.length > 0 && !CHECKED_APART.test(id),
    );

    it.each(withSets)('of %s has no value twice where values are distinct', (_id, operation, request) => {
      const isSet = (place: string) =>
        shapesAt(operation.body?.schema as z.ZodType, place).some(({ uniqueItems }) => uniqueItems === true);
      expect(readOf(operation, request.sets).filter((place) => !isSet(place))).toEqual([]);
    });

    it('is described for every operation with an explained difference', () => {
      expect(Object.keys(DIFFERENCES).filter((id) => !described.has(id))).toEqual([]);
    });
  },
);
