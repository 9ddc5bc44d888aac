import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runConformance } from '../../../src/conformance/run.ts';
import { between, type Column, findings, matrix, type Report } from './matrix.ts';

/**
 * Runs the suites against the servers and clients at hand and prints a comparison as Markdown; with
 * `--write` it goes into the suite's README. `--server NAME=COMMAND` and `--client NAME=COMMAND` add
 * subjects, `--footbridge COMMAND` says how to start Footbridge and
 * `--prepare COMMAND` how to let it take the suite's origin, `--only TEXT` picks subjects by name.
 */
const { values } = parseArgs({
  options: {
    write: { type: 'boolean' },
    only: { type: 'string' },
    footbridge: { type: 'string' },
    prepare: { type: 'string' },
    server: { type: 'string', multiple: true },
    client: { type: 'string', multiple: true },
  },
});

const root = fileURLToPath(new URL('../../..', import.meta.url));
const readme = join(root, 'src/conformance/README.md');
const require = createRequire(import.meta.url);

/** The version of an installed package, and where its files are. */
function installed(name: string): { version: string; folder: string } {
  // Not every package exports its package.json, so it is looked for from its main file upwards.
  for (let folder = dirname(require.resolve(name)); folder !== '/'; folder = dirname(folder)) {
    try {
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<
        string,
        string
      >;
      if (manifest['name'] === name) return { version: manifest['version'] ?? '', folder };
    } catch {
      // Further up.
    }
  }
  throw new Error(`${name} is not installed`);
}

interface Subject {
  readonly name: string;
  readonly argv: readonly string[];
}

function named(option: string): readonly [string, string] {
  const at = option.indexOf('=');
  return [option.slice(0, at), option.slice(at + 1)];
}

const arrpc = installed('arrpc');
const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const footbridge =
  values.footbridge ??
  `exec node '${root}/dist/footbridge.js' run --json --consent allow --http-port 0 --data-dir "$CONFORMANCE_FOLDER/fb"`;
const allowOrigin = values.prepare ?? `node '${root}/dist/footbridge.js' origins add discord`;
const driver = (name: string) =>
  `exec node --import tsx '${root}/test/conformance/compare/clients/${name}.ts'`;

const servers: readonly Subject[] = [
  { name: `Footbridge ${own.version}`, argv: ['server', '--start', footbridge] },
  {
    name: `Footbridge ${own.version}, WebSocket`,
    argv: ['server', '--start', footbridge, '--transport', 'websocket', '--prepare', allowOrigin],
  },
  {
    name: `arRPC ${arrpc.version}`,
    argv: [
      'server',
      '--profile',
      'presence',
      '--start',
      // Its bridge port is fixed unless told otherwise, and may be taken.
      `ARRPC_BRIDGE_PORT=0 exec node '${arrpc.folder}/src/index.js' --no-process-scanning`,
    ],
  },
  ...(values.server ?? [])
    .map(named)
    .map(([name, command]) => ({ name, argv: ['server', '--start', command] })),
];
const clients: readonly Subject[] = [
  { name: `footbridge/client ${own.version}`, argv: ['client', '--command', driver('footbridge')] },
  ...['discord-rpc', '@xhayper/discord-rpc'].map((name) => ({
    name: `${name} ${installed(name).version}`,
    argv: ['client', '--command', driver(name.startsWith('@') ? 'xhayper' : name)],
  })),
  ...(values.client ?? [])
    .map(named)
    .map(([name, command]) => ({ name, argv: ['client', '--command', command] })),
];

async function judge({ name, argv }: Subject): Promise<Column> {
  let out = '';
  process.stderr.write(`${name} …\n`);
  await runConformance([...argv, '--report', 'json'], {
    out: (text) => {
      out += text;
    },
    err: () => undefined,
    isTerminal: false,
    color: false,
    env: process.env,
  });
  return { name, report: JSON.parse(out) as Report };
}

async function compare(subjects: readonly Subject[]): Promise<readonly Column[]> {
  const columns: Column[] = [];
  // One after the other: two subjects at once would only disturb each other.
  for (const subject of subjects) {
    if (subject.name.includes(values.only ?? '')) columns.push(await judge(subject));
  }
  return columns;
}

const texts: Record<string, string> = {};
for (const [title, subjects] of Object.entries({ servers, clients })) {
  const columns = await compare(subjects);
  if (columns.length > 0) texts[title] = `${matrix(columns)}\n\nFailed MUSTs:\n\n${findings(columns)}`;
}
process.stdout.write(`${Object.values(texts).join('\n\n')}\n`);
if (values.write === true) {
  let document = readFileSync(readme, 'utf8');
  for (const [title, text] of Object.entries(texts)) document = between(document, title, text);
  writeFileSync(readme, document);
}
