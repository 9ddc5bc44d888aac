// Scenario files of bots as people write them, and bots with one fault each. A fault is a replacement in the source of a
// copy, so that the bots have nothing in them that is for tests, and each fault stands beside what finds it.
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { footbridgeCommand, startProgram, temporaryPlace } from '../../cli/spawn.ts';
import { fences } from '../../helpers/markdown.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const GUIDE = new URL('../../../.github/guide/scenarios.md', import.meta.url);
const APP = '1000000000000000010';

/** A fault of a bot, and how it is found. */
export interface Fault {
  readonly what: string;
  /** Scenario file that finds it, without its ending. */
  readonly file: string;
  /** Source in which it is; default: that of the feature. */
  readonly source?: string;
  /** A text of the source, which it has once, and the faulty one in its place. */
  readonly code: readonly [right: string, wrong: string];
  /** Parts of the report: what is wrong, and the lines of the transcript that show why. */
  readonly report: readonly string[];
}

/** A bot of a library. */
export interface BotProgram {
  /** Folder of its sources and scenario files. */
  readonly folder: string;
  /** Ending of its sources, with the dot. */
  readonly ending: string;
  /** Makes the program ready in a copy of the folder, and returns its command. */
  readonly command: (copy: string) => Promise<readonly string[]> | readonly string[];
  /** Source with the block of this language that the guide shows. */
  readonly shown?: { readonly source: string; readonly language: string };
  /** Why it cannot run here. */
  readonly without?: string | undefined;
}

/** A copy of the folder of a bot, with the fixture and the packages beside it. */
function copyOf({ folder }: BotProgram): string {
  const place = temporaryFolder();
  cpSync(join(HERE, 'world.toml'), join(place, 'world.toml'));
  symlinkSync(fileURLToPath(new URL('../../../node_modules', import.meta.url)), join(place, 'node_modules'));
  cpSync(join(HERE, folder), join(place, folder), { recursive: true });
  return join(place, folder);
}

/** Plays files of a copy with its bot. */
async function play(bot: BotProgram, copy: string, files: readonly string[]) {
  const command = await bot.command(copy);
  const token = `${Buffer.from(APP).toString('base64url')}.emulator.bot`;
  return startProgram(footbridgeCommand('emulator', 'play', '--wait', '60s', ...files, '--', ...command), {
    cwd: copy,
    env: { ...temporaryPlace().env, DISCORD_TOKEN: token, PYTHONDONTWRITEBYTECODE: '1' },
  }).ended;
}

/** Tests that a bot passes its scenario files, and that each file finds a fault of it. */
export function tellFaults(bot: BotProgram, faults: readonly Fault[]): void {
  const reason = bot.without === undefined ? '' : ` (skipped: ${bot.without})`;
  const files = readdirSync(join(HERE, bot.folder)).filter((name) => name.endsWith('.toml'));

  it.skipIf(bot.without)(
    `${bot.folder}: the bot passes its ${files.length} scenario files${reason}`,
    async () => {
      const { code, stdout, stderr } = await play(bot, copyOf(bot), files);
      expect({ code, stdout, stderr }).toEqual({
        code: 0,
        stdout: expect.not.stringContaining('✗'),
        stderr: expect.not.stringContaining('footbridge:'),
      });
      expect(stdout.match(/^✓/gm)?.length).toBeGreaterThanOrEqual(files.length);
    },
  );

  const { shown } = bot;
  if (shown !== undefined)
    it(`${bot.folder}: the bot has what the guide shows`, () => {
      const block = fences(readFileSync(GUIDE, 'utf8')).find(({ language }) => language === shown.language);
      expect(readFileSync(join(HERE, bot.folder, shown.source), 'utf8')).toContain(block?.text);
    });

  it(`${bot.folder}: each scenario file finds a fault`, () => {
    expect([...new Set(faults.map(({ file }) => `${file}.toml`))].toSorted()).toEqual(files.toSorted());
  });

  it.skipIf(bot.without).each(faults)(
    `${bot.folder}: $file finds a bot that $what${reason}`,
    async ({ file, source = file + bot.ending, code: [right, wrong], report }) => {
      const copy = copyOf(bot);
      const path = join(copy, source);
      const parts = readFileSync(path, 'utf8').split(right);
      expect(parts, `${right} in ${source}`).toHaveLength(2);
      writeFileSync(path, parts.join(wrong));
      const { code, stdout, stderr } = await play(bot, copy, [`${file}.toml`]);
      expect([code, stdout], stderr).toEqual([2, expect.stringContaining('✗')]);
      for (const part of report) expect(stdout).toContain(part);
    },
  );
}
