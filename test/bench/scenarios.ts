// What scenarios take: a step without a bot, a hundred scenarios with one, and the command alone. `npm run bench -- scenarios`
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROGRAM } from './built.ts';
import type { CoreFigure } from './cores.ts';
import { median } from './statistics.ts';

const STEPS = 200;
const SCENARIOS = 100;
const APP = '300000000000000001';

const scenario = (name: string, steps: readonly string[]): string =>
  `[[scenario]]\nname = "${name}"\nstep = [\n${steps.join(',\n')}\n]\n`;

const NOTHING = scenario('nothing', ['{ expect = "presence", of = "otter", status = "offline" }']);
const ALONE = scenario(
  'alone',
  Array.from({ length: STEPS / 2 }, (_, index) => [
    `{ as = "otter", say = "line ${index}", in = "#general" }`,
    '{ expect = "none", in = "#general" }',
  ]).flat(),
);
const WITH_BOT = Array.from({ length: SCENARIOS }, (_, index) =>
  scenario(`hello ${index}`, [
    '{ as = "otter", say = "hello", in = "#general", save = "asked" }',
    '{ expect = "message", from = "bot", contains = "hi" }',
    '{ as = "otter", react = "🌊", on = "asked" }',
    '{ expect = "message", on = "asked", reaction = "🌊" }',
    '{ expect = "none" }',
  ]),
).join('');
const BOT = `
const { Client, Events } = require(${JSON.stringify(createRequire(import.meta.url).resolve('discord.js'))});
const client = new Client({ intents: ['Guilds', 'GuildMessages', 'MessageContent'], rest: { api: process.env.FOOTBRIDGE_API } });
client.on(Events.MessageCreate, (message) => { if (!message.author.bot) void message.reply('hi'); });
void client.login(Buffer.from('${APP}').toString('base64url') + '.emulator.bot');
`;

/** A guild with a user, and a bot that may everything. */
const WORLD = `me = "1"
users = [{ id = "1", username = "otter" }, { id = "${APP}", username = "harbour", bot = true }]
applications = [{ id = "${APP}", name = "Harbour", bot_user = "harbour", intents = ["message_content"] }]

[[guilds]]
id = "20"
name = "River"
owner = "otter"
roles = [{ id = "21", name = "bots", permissions = ["ADMINISTRATOR"] }]
members = [{ user = "harbour", roles = ["21"] }]
channels = [{ id = "22", name = "general", type = "text" }]
`;

interface Report {
  readonly scenarios: readonly { readonly state: string; readonly ms: number }[];
}

/** Measures each, `passes` times. */
export function measureScenarios(passes: number, tell: (text: string) => void): CoreFigure[] {
  const folder = mkdtempSync(join(tmpdir(), 'footbridge-bench-'));
  try {
    const play = (text: string, ...command: string[]): { readonly ms: number; readonly own: number } => {
      const file = join(folder, 'scenarios.toml');
      writeFileSync(file, text);
      const begun = performance.now();
      const { stdout, stderr, status } = spawnSync(
        process.execPath,
        [PROGRAM, 'emulator', 'play', '--json', file, ...command],
        { encoding: 'utf8', env: { ...process.env, XDG_RUNTIME_DIR: folder } },
      );
      const ms = performance.now() - begun;
      if (status !== 0) throw new Error(stderr);
      const [report] = JSON.parse(stdout) as readonly Report[];
      return { ms, own: (report?.scenarios ?? []).reduce((sum, one) => sum + one.ms, 0) };
    };
    const times = <T>(what: () => T): readonly T[] => Array.from({ length: passes }, what);
    tell('a step without a bot');
    const step = median(times(() => play(ALONE).own / STEPS));
    tell('play of nothing');
    const nothing = median(times(() => play(NOTHING).ms));
    tell('a hundred scenarios with a bot');
    writeFileSync(join(folder, 'bot.cjs'), BOT);
    writeFileSync(join(folder, 'world.toml'), WORLD);
    const bot = [process.execPath, join(folder, 'bot.cjs')];
    const all = median(times(() => play(`fixture = "world.toml"\n${WITH_BOT}`, '--', ...bot).own / 1000));
    const unit = (name: string, value: number, most: number, of: string): CoreFigure => ({
      name,
      value,
      most,
      unit: of,
      more: '',
    });
    return [
      unit('a step without a bot', step, 5, 'ms'),
      unit(`${SCENARIOS} scenarios of five steps with a bot`, all, 10, 's'),
      unit('play of nothing, the whole command', nothing, 400, 'ms'),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
