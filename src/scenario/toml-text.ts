import type { ScenarioTree } from './generated.ts';

/** A scenario as the text of a scenario file, one line a step. */
export function scenarioText(
  { name, step }: ScenarioTree,
  remarks: readonly string[],
  fixture?: string,
): string {
  const lines = step.map((one) => `  ${valueText(one)},`);
  const head = remarks.map((remark) => `# ${remark.replaceAll(/[\r\n]+/g, ' ')}\n`).join('');
  const state = fixture === undefined ? '' : `fixture = ${valueText(fixture)}\n\n`;
  return `${head}${state}[[scenario]]\nname = ${valueText(name)}\nstep = [\n${lines.join('\n')}\n]\n`;
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return stringText(value);
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const fields = Object.entries(value).map(([key, one]) => `${keyText(key)} = ${valueText(one)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

function keyText(key: string): string {
  return /^[\w-]+$/.test(key) ? key : stringText(key);
}

/** A string of JSON is one of TOML, but for this control character. */
function stringText(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}
