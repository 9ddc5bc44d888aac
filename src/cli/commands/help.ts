import { LocalError } from '../../base/local-error.ts';
import { didYouMean } from '../../base/nearest.ts';
import { columns, styleFor } from '../../base/style.ts';
import { type CliCommand, defineCommand } from '../command.ts';
import { printResult } from '../daemon-client.ts';
import { guideFile } from '../guide-file.ts';
import { guideText } from '../guide-text.ts';
import { guides } from '../guides.ts';

const topics = guides.map(({ topic }) => topic);

/** `footbridge help [TOPIC]`. */
export const help = defineCommand({
  name: 'help',
  summary: 'Show a guide, or the list of guides',
  group: 'setup',
  positionals: [
    { name: 'TOPIC', help: 'a guide of the list, or a command', arity: 'optional', completes: topics },
  ],
  details: ['The guides are the pages in .github/guide of the package, without the marks of Markdown.'],
  json: true,
  examples: [
    ['footbridge help', 'The list of guides'],
    ['footbridge help test-an-app', 'One of them'],
    ['footbridge help run', 'The same as footbridge run --help'],
  ],
  async run({ positionals: [typed], json }, io, table) {
    const style = styleFor(io.colour.out);
    if (typed === undefined) {
      const rows = columns(guides.map((guide) => [`  ${guide.topic}`, guide.summary]));
      const list = `${style.strong('Guides')}\n${rows}\nfootbridge help TOPIC shows one; footbridge --help lists the commands.\n`;
      return printResult(io, json, guides, () => list);
    }
    const topic = typed.toLowerCase();
    if (!topics.includes(topic)) throw unknownTopic(typed, table);
    const text = guideFile(topic);
    return printResult(io, json, { topic, text }, () => guideText(text, style));
  },
});

function unknownTopic(typed: string, table: readonly CliCommand[]): LocalError {
  const commands = new Set(table.map(({ name }) => name.split(' ', 1)[0] ?? ''));
  const hint = didYouMean(typed.toLowerCase(), [...topics, ...commands]);
  const problem = `There is no guide and no command ${JSON.stringify(typed.slice(0, 60))}.${hint}`;
  return new LocalError('FOOTBRIDGE_USAGE', `${problem} Try: footbridge help`);
}
