import { requirement, sources } from '../requirements.ts';
import type { Result } from '../verdict.ts';
import { shown } from './table.ts';

/** Case with the text and sources of its requirements, and its traffic. */
export function traceText({ case: one, verdict }: Result, trace: readonly string[]): string {
  const statements = one.judges.flatMap((id) => {
    const { level, text, sources: tags } = requirement(id);
    return [`  ${level} ${id}: ${text}`, ...tags.map((tag) => `    ${tag.padEnd(6)}${sources[tag] ?? ''}`)];
  });
  const lines = [
    `${one.id}  ${one.title}: ${verdict.kind}`,
    ...statements,
    ...trace.map((line) => `  ${line}`),
  ];
  return `${lines.map(shown).join('\n')}\n`;
}
