import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NODE_FLAGS } from '../../src/cli/service/program.ts';
import { atMost, type Figure, type Scenario } from './figure.ts';
import { honestHandshakes, residentOf, type Target, withTarget } from './target.ts';

const GUILD = '1000000000000000020';
const CHANNEL = '1000000000000000022';
const WORLD = `me = "1000000000000000001"
[[users]]
id = "1000000000000000001"
username = "ana"
[[users]]
id = "1000000000000000010"
username = "helper"
bot = true
[[applications]]
id = "1000000000000000010"
name = "Helper"
bot_user = "helper"
bot_token = "MTAwMDAwMDAwMDAwMDAwMDAxMA.full.platform"
intents = ["message_content"]
[[guilds]]
id = "${GUILD}"
name = "Testers"
owner = "helper"
[[guilds.members]]
user = "helper"
[[guilds.channels]]
id = "${CHANNEL}"
name = "general"
type = "text"
`;
const HEAP_MB = 300;
/** Fewer would mean that it refuses long before it has to. */
const FEWEST = 8_000;
const MESSAGES = `/channels/${CHANNEL}/messages`;

/** A bot within all documented limits writes messages of 6 kB with new words, behind a search, until it is refused. */
export const fullPlatform: Scenario = {
  name: 'full',
  rows: [],
  raised: {},
  run: async (progress) => {
    const folder = mkdtempSync(join(tmpdir(), 'full-platform-'));
    const fixture = join(folder, 'world.toml');
    writeFileSync(fixture, WORLD);
    try {
      return await withTarget({}, (target) => fillUp(target, progress), {
        args: ['--consent', 'allow', '--http-port', '0', '--fixture', fixture],
        nodeFlags: [...NODE_FLAGS, `--max-old-space-size=${HEAP_MB}`],
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function fillUp(target: Target, progress: (text: string) => void): Promise<Figure[]> {
  const agent = new Agent({ keepAlive: true });
  const ask = asking(String(target.ready.api), agent);
  await ask('GET', `/guilds/${GUILD}/messages/search?content=word`);
  const written: string[] = [];
  let refusal = '';
  while (refusal === '') {
    const { status, body } = await ask('POST', MESSAGES, {
      content: freshWords(1990),
      embeds: [{ description: freshWords(4000) }],
    });
    if (status === 503) refusal = body.message;
    else if (status !== 200) throw new Error(`a message was answered with ${status}`);
    else written.push(body.id);
    if (written.length % 500 === 0) progress(`${written.length} messages`);
  }
  const read = await ask('GET', `${MESSAGES}?limit=100`);
  const searched = await ask('GET', `/guilds/${GUILD}/messages/search?content=word`);
  for (const id of written.splice(0, 50)) await ask('DELETE', `${MESSAGES}/${id}`);
  const again = await ask('POST', MESSAGES, { content: freshWords(1990) });
  const file = join(target.folder, 'full.jsonl');
  const ended: (number | null)[] = [];
  for (const args of [['export', file], ['import', file], ['reset']]) {
    progress(`emulator ${args[0]}`);
    ended.push((await target.cli(['emulator', ...args])).code);
  }
  await honestHandshakes(target.endpoint, 1);
  const status = await target.control.status();
  const { pid } = status;
  const rss = residentOf(status);
  agent.destroy();
  const wrong = [
    !refusal.includes('has memory for'),
    read.status !== 200 || read.body.length !== 100,
    ![200, 202, 503].includes(searched.status),
    again.status !== 200,
    ended.some((code) => code !== 0),
    pid !== target.pid,
    written.length < FEWEST,
  ].filter(Boolean).length;
  const goal = `full of messages with a heap of ${HEAP_MB} MB: refuses with 503, serves reads, takes more after deleting, takes back its export, is reset`;
  return [
    {
      ...atMost(goal, wrong, 0, { unit: 'faults', digits: 0 }),
      measured: `${wrong} faults, ${written.length} messages, ${(rss / 1e6).toFixed(0)} MB`,
    },
  ];
}

let count = 0;
function freshWords(letters: number): string {
  return Array.from({ length: letters / 10 }, () => `w${String(++count).padStart(8, '0')}`).join(' ');
}

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the platform answers
  readonly body: any;
}

function asking(api: string, agent: Agent) {
  return (method: string, path: string, json?: unknown): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const text = json === undefined ? undefined : JSON.stringify(json);
      const headers = {
        authorization: 'Bot MTAwMDAwMDAwMDAwMDAwMDAxMA.full.platform',
        ...(text === undefined ? {} : { 'content-type': 'application/json', 'content-length': text.length }),
      };
      const asked = request(`${api}/v10${path}`, { method, agent, headers }, (response) => {
        let said = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => {
          said += part;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, body: said === '' ? undefined : JSON.parse(said) }),
        );
        response.on('error', reject);
      });
      asked.on('error', reject);
      asked.end(text);
    });
}
