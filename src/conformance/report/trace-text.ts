import { requirement, sources } from '../requirements.ts';
import type { Result } from '../verdict.ts';
import { safeText } from './table.ts';

/** Case with the text and sources of its requirements, and its traffic. */
export function traceText({ case: one, verdict }: Result, trace: readonly string[]): string {
  const statements = one.requirementIds.flatMap((id) => {
    const { level, text, sources: tags } = requirement(id);
    return [`  ${level} ${id}: ${text}`, ...tags.map((tag) => `    ${tag.padEnd(6)}${sources[tag] ?? ''}`)];
  });
  const lines = [
    `${one.id}  ${one.title}: ${verdict.kind}`,
    ...statements,
    ...trace.map((line) => `  ${line}`),
  ];
  return `${lines.map(safeText).join('\n')}\n`;
}
