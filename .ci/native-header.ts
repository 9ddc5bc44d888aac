// footbridge.h, joined from its parts, with the facts of the protocol and of the search from their declarations.
import {
  ENDPOINT_INDEXES,
  ENDPOINT_VARIABLE,
  endpointPath,
  FOLDER_VARIABLES,
} from '../platform/endpoint/endpoints.ts';
import { MAX_NAMES, MAX_SANDBOXES } from '../platform/endpoint/search.ts';
import { ErrorCode } from '../src/protocol/error-code.ts';
import { protocolSchema } from '../src/protocol/reference.ts';
import { CloseCode, Opcode } from '../src/wire/codes.ts';
import { STREAM_TEXT } from '../src/wire/streams.ts';
import { read } from './staging.ts';

export const NATIVE_HEADER = 'src/native/footbridge.h';

/** Parts in their order; `facts` and `names` are generated. */
const PARTS = [
  'manual',
  'api',
  'base',
  'facts',
  'json-read',
  'json-write',
  'pkce',
  'link',
  'client',
  'search',
  'unix',
  'windows',
  'frames',
  'session',
  'presence',
  'requests',
  'poll',
  'licence',
] as const;

/** Close codes that no further attempt of the same program changes. */
const PERMANENT = ['INVALID_CLIENT_ID', 'INVALID_ORIGIN', 'INVALID_VERSION', 'INVALID_ENCODING'] as const;

const GROUPS = ['top', 'assets', 'party', 'secrets'] as const;
/** Members of fb_presence whose name differs from the field's. */
const MEMBERS: Readonly<Record<string, string>> = { 'party.id': 'party_id' };

interface Schema {
  readonly type?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** Writes the whole header. */
export function nativeHeader(): string {
  const parts = PARTS.map((name) => (name === 'facts' ? facts() : read(`src/native/parts/${name}.h`)));
  return parts.join('\n').replace('/* @names@ */\n', names());
}

/** Public names: codes of errors and of CLOSE, commands and events. */
function names(): string {
  const { commands, events } = protocolSchema();
  const constants = (prefix: string, all: Readonly<Record<string, number>>): string =>
    Object.entries(all)
      .map(([name, value]) => `  ${prefix}${name} = ${value}`)
      .join(',\n');
  const texts = (prefix: string, all: object): string =>
    Object.keys(all)
      .map((name) => `#define ${prefix}${name} "${name}"\n`)
      .join('');
  return `/** \`code\` of an event that failed. */
typedef enum fb_code {
${constants('FB_CODE_', ErrorCode)}
} fb_code;

/** \`code\` of a connection that was lost or refused. */
typedef enum fb_close_code {
${constants('FB_CLOSE_', CloseCode)}
} fb_close_code;

#ifndef FB_PRESENCE_ONLY
/* Names of commands and events. */
${texts('FB_CMD_', commands)}
${texts('FB_EVT_', events)}#endif
`;
}

/** Facts of the implementation: opcodes, the search, and the limits of a presence. */
function facts(): string {
  const [folder, index] = ['F', ENDPOINT_INDEXES[0]];
  const name = endpointPath('linux', folder, index).slice(folder.length + 1, -String(index).length);
  const activity = activitySchema();
  const { label, url } = activity['buttons']?.items?.properties ?? {};
  return `/* Facts of the protocol and of the search, from their TypeScript declarations. */

enum {
${Object.entries(Opcode)
  .map(([opcode, value]) => `  FB_OP_${opcode} = ${value}`)
  .join(',\n')}
};

enum { FB__NUMBERS = ${ENDPOINT_INDEXES.length}, FB__MAX_NAMES = ${MAX_NAMES}, FB__MAX_SANDBOXES = ${MAX_SANDBOXES} };
enum { FB__LABEL_UNITS = ${label?.maxLength}, FB__BUTTON_URL_UNITS = ${url?.maxLength} };
#define FB__NAME "${name}"
#define FB__ENDPOINT_VARIABLE "${ENDPOINT_VARIABLE}"
#define FB__STREAM_TEXT "${STREAM_TEXT}"

#ifndef _WIN32
/** Variables that may name the folder of endpoints; the first that is set decides. */
enum { FB__VARIABLES = ${FOLDER_VARIABLES.length} };
static const char *const fb__variables[FB__VARIABLES] = {${FOLDER_VARIABLES.map((one) => `"${one}"`).join(', ')}};
#endif

/** Whether no further attempt of this program will be different. */
static int fb__is_permanent(int close_code) {
  return ${PERMANENT.map((code) => `close_code == ${CloseCode[code]}`).join(' || ')};
}

/** Groups of the fields of a presence: its own, and those of its objects. */
enum { ${GROUPS.map((group) => `FB__${group.toUpperCase()}`).join(', ')} };

/** A text of a presence: its place, its limits in UTF-16 units, and its key in its group. */
typedef struct fb__field {
  unsigned char group;
  unsigned char least;
  unsigned short most;
  unsigned short offset;
  char key[20];
} fb__field;

static const fb__field fb__fields[] = {
${GROUPS.flatMap((group) => fieldsOf(group, group === 'top' ? activity : (activity[group]?.properties ?? {}))).join(',\n')}};
`;
}

/** Rows of the texts of one group. */
function fieldsOf(group: string, schemas: Readonly<Record<string, Schema>>): string[] {
  return Object.entries(schemas).flatMap(([key, schema]) => {
    const { type, minLength = 1, maxLength } = schema.anyOf?.[0] ?? schema;
    if (type !== 'string' || maxLength === undefined) return [];
    const member = MEMBERS[`${group}.${key}`] ?? key;
    return `    {FB__${group.toUpperCase()}, ${minLength}, ${maxLength}, offsetof(fb_presence, ${member}), "${key}"}`;
  });
}

function activitySchema(): Readonly<Record<string, Schema>> {
  const { args } = protocolSchema().commands['SET_ACTIVITY'] as { readonly args: Schema };
  return args.properties?.['activity']?.anyOf?.[0]?.properties ?? {};
}
