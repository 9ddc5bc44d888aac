import { expect, it } from 'vitest';
import { styleFor } from '../../src/base/style.ts';
import { readScenarios } from '../../src/scenario/read.ts';
import { problemText } from '../../src/scenario/report.ts';

/** A file with one scenario of these steps. */
const withSteps = (...steps: string[]): string =>
  `[[scenario]]\nname = "one"\nstep = [\n${steps.map((one) => `  ${one},\n`).join('')}]\n`;

const SAY = '{ say = "hi", in = "#general" }';

/** What a person reads about a file. */
function complaints(text: string): string {
  const read = readScenarios(text, 'a.toml');
  if ('scenarios' in read) throw new Error('the file may be played');
  return read.map((problem) => problemText(problem, styleFor(false))).join('');
}

it.each<[what: string, text: string, place: string, told: string]>([
  ['no TOML', '[[scenario]]\nname = one', 'a.toml:2:8', 'the file is no TOML: invalid value'],
  ['an unknown key', `tests = 1\n${withSteps(SAY)}`, 'a.toml:1:1', 'must not have "tests": not known here.'],
  ['a mistyped key', `fixtur = "a"\n${withSteps(SAY)}`, 'a.toml:1:1', 'Did you mean "fixture"?'],
  ['no scenario', 'fixture = "a"', 'a.toml:1:1', 'scenario is missing'],
  ['no name', `[[scenario]]\nstep = [${SAY}]`, 'a.toml:1:1', 'name is missing'],
  ['no step', '[[scenario]]\nname = "one"\nstep = []', 'a.toml:3:1', 'step must be at least 1 entry'],
  [
    'a step that is a text',
    withSteps('"say hello"'),
    'a.toml:4:3',
    'a step must be a table, such as { say = "hello", in = "#general" }',
  ],
  [
    'a step that says nothing',
    withSteps('{ sya = "hi" }'),
    'a.toml:4:3',
    'the step says nothing to do. Did you mean "say"?',
  ],
  [
    'two things in a step',
    withSteps('{ say = "hi", react = "x" }'),
    'a.toml:4:3',
    'the step does several things: say and react',
  ],
  [
    'a field of another step',
    withSteps('{ say = "hi", in = "#a", contains = "x" }'),
    'a.toml:4:28',
    'must not have "contains": not known here.',
  ],
  [
    'a mistyped field',
    withSteps('{ expect = "message", contain = "x" }'),
    'a.toml:4:25',
    'Did you mean "contains"?',
  ],
  [
    'disabled without a button',
    withSteps('{ expect = "message", disabled = true }'),
    'a.toml:4:25',
    'disabled is about a button',
  ],
  ['a missing field', withSteps('{ say = "hi" }'), 'a.toml:4:3', 'in is missing'],
  [
    'an unknown expectation',
    withSteps('{ expect = "mesage" }'),
    'a.toml:4:5',
    'expect: there is no "mesage". Did you mean "message"?',
  ],
  [
    'within 0',
    withSteps('{ expect = "message", within = "0s" }'),
    'a.toml:4:25',
    'within must be longer than 0',
  ],
  [
    'within no duration',
    withSteps('{ expect = "message", within = "soon" }'),
    'a.toml:4:25',
    'within must be a duration such as 90s, 15m or 500ms',
  ],
  [
    'a broken pattern',
    withSteps('{ expect = "message", matches = "(" }'),
    'a.toml:4:25',
    'matches must be a regular expression',
  ],
  [
    'an impossible status',
    withSteps('{ expect = "request", request = "GET /users/@me", status = 99 }'),
    'a.toml:4:53',
    'status must be at least 100',
  ],
  [
    'an outcome that there is not',
    withSteps('{ slash = "/a", becomes = "angry" }'),
    'a.toml:4:19',
    'becomes must be one of answered, deferred',
  ],
  [
    'a name saved twice',
    withSteps(
      '{ say = "a", in = "#a", save = "x" }',
      '{ say = "b", in = "#a", save = "x" }',
      '{ react = "x", on = "x" }',
    ),
    'a.toml:5:27',
    '"x" is saved twice, also in line 4',
  ],
  [
    'a name saved and never used',
    withSteps('{ say = "a", in = "#a", save = "x" }'),
    'a.toml:4:27',
    '"x" is saved and never used',
  ],
  [
    'a name used and never saved',
    withSteps(
      '{ say = "a", in = "#a", save = "ticket" }',
      '{ react = "x", on = "tiket" }',
      '{ react = "x", on = "ticket" }',
    ),
    'a.toml:5:18',
    'nothing is saved as "tiket" before. Did you mean "ticket"?',
  ],
  [
    'a name used before it is saved',
    withSteps('{ react = "x", on = "late" }', '{ say = "a", in = "#a", save = "late" }'),
    'a.toml:4:18',
    'nothing is saved as "late" before.',
  ],
  [
    'an unknown name in arguments',
    withSteps('{ operate = "message.edit", args = { id = "{gone}", text = "x" } }'),
    'a.toml:4:31',
    'nothing is saved as "gone" before.',
  ],
  [
    'two scenarios of one name',
    `${withSteps(SAY)}${withSteps(SAY)}`,
    'a.toml:7:1',
    'the name "one" is that of the scenario in line 2, too',
  ],
])('refuses %s, with file, line and column', (_, text, place, told) => {
  const all = complaints(text);
  expect(all).toContain(`--> ${place}\n`);
  expect(all).toContain(told);
});

it('shows the line with the field marked, and what to do', () => {
  const text = withSteps(
    '{ say = "a", in = "#a", save = "answer" }',
    '{ react = "x", on = "anwser" }',
    '{ react = "x", on = "answer" }',
  );
  expect(complaints(text)).toBe(
    [
      'error: nothing is saved as "anwser" before. Did you mean "answer"?',
      ' --> a.toml:5:18',
      '  |',
      '5 |   { react = "x", on = "anwser" },',
      '  |                  ^^',
      '  |   An earlier step needs save = "anwser".',
      '',
    ].join('\n'),
  );
});

it('tells every problem of a file at once', () => {
  const text = withSteps('{ sya = "hi" }', '{ expect = "message", within = "0s" }', '{ advance = "never" }');
  expect(complaints(text).match(/--> a\.toml:\d+/g)).toEqual([
    '--> a.toml:4',
    '--> a.toml:5',
    '--> a.toml:6',
  ]);
});

it('finds the place of a problem in a file of tens of thousands of steps', () => {
  const steps = Array.from({ length: 25_000 }, () => SAY);
  expect(complaints(withSteps(...steps, '{ sya = "hi" }'))).toContain('--> a.toml:25004:3\n');
});

it('shows the part of a very long line that a problem is in', () => {
  const { length } = `${SAY}, `;
  const text = withSteps(`${`${SAY}, `.repeat(300)}{ say = "hi", on = "x" }${`, ${SAY}`.repeat(300)}`);
  const [, place, , source = '', caret = ''] = complaints(text).split('\n');
  expect(place).toBe(` --> a.toml:4:${3 + 300 * length}`);
  expect([source.length, source.slice(caret.indexOf('^')).startsWith('{ say = "hi", on = "x" }')]).toEqual([
    `4 | …${'x'.repeat(240)}…`.length,
    true,
  ]);
  expect(caret.slice(caret.indexOf('^'))).toBe('^'.repeat('{ say = "hi", on = "x" }'.length));
});

it('reads steps with the kind and the place of each, in every way to write them', () => {
  const text = `# several scenarios
quiet = "80ms"
fixture = { me = "1", users = [ { id = "1", username = "ana" } ] }

[[scenario]]
name = "lines"
step = [
  { as = "ana", say = "a # no comment", in = '#general', save = "x" }, # a comment
  { react = "}]", on = "x" },
]

[[scenario]]
name = "tables"
skip = "later"
[[scenario.step]]
say = """
two "lines"
"""
in = "#general"
[[scenario.step]]
expect = "none"
`;
  const read = readScenarios(text, 'b.toml');
  if (!('scenarios' in read)) throw new Error(JSON.stringify(read));
  expect([read.quiet, read.strict, read.fixture]).toEqual([
    '80ms',
    false,
    { me: '1', users: [{ id: '1', username: 'ana' }] },
  ]);
  const lineOf = (scenario: number, step: number, field?: string) => {
    const place = read.scenarios[scenario]?.steps[step]?.placeOf(field);
    return [place?.line, place?.column];
  };
  expect(read.scenarios.map(({ name, skip, steps }) => [name, skip, steps.map(({ kind }) => kind)])).toEqual([
    ['lines', undefined, ['say', 'react']],
    ['tables', 'later', ['say', 'none']],
  ]);
  expect([lineOf(0, 0), lineOf(0, 0, 'in'), lineOf(0, 1, 'on'), lineOf(0, 1, 'absent')]).toEqual([
    [8, 3],
    [8, 41],
    [9, 19],
    [9, 3],
  ]);
  expect([lineOf(1, 0), lineOf(1, 0, 'in'), lineOf(1, 1, 'expect')]).toEqual([
    [15, 1],
    [19, 1],
    [21, 1],
  ]);
});
