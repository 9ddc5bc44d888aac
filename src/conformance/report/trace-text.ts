import { requirement, sources } from '../requirements.ts';
import type { Result } from '../verdict.ts';
import { shown } from './table.ts';

/** A case with what it judges, in words and with the sources, and what went over the wire. */
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
