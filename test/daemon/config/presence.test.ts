import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { readPresence } from '../../../src/daemon/config/presence.ts';
import { Text } from '../../../src/presence/text.ts';

const read = (text: string) => readPresence(parse(text)['presence'], '/f.toml', text);

describe('[[presence]] in the configuration', () => {
  it('has conditions and actions, and each rule knows its line', async () => {
    const rules = await read(`
[[presence]]
app = "Code"
details = "re:secret"
type = "listening"
drop = ["details", "buttons"]
replace = { state = "Working" }

# about the second
[[ presence ]]
program = "spot*"
hide = false
only = ["vesktop"]
give_way_to = ["Game", "re:^G"]
rank = -3
`);
    expect(rules).toMatchObject([
      {
        place: '/f.toml:2',
        conditions: [
          ['app', { kind: 'exact', source: 'Code' }],
          ['details', { kind: 'regex' }],
        ],
        type: 2,
        drop: ['details', 'buttons'],
        replace: { state: 'Working' },
      },
      {
        place: '/f.toml:10',
        conditions: [['program', { kind: 'wildcard' }]],
        hide: false,
        only: ['vesktop'],
        rank: -3,
      },
    ]);
    expect(rules[0]?.conditions[1]?.[1].matches(new Text('a secret'))).toBe(true);
    expect(rules[1]?.giveWayTo?.map(({ kind }) => kind)).toEqual(['exact', 'regex']);
  });

  it('names a rule by its number where its line is not certain', async () => {
    const [rule] = await read('presence = [{ app = "a", hide = true }]');
    expect(rule?.place).toBe('/f.toml: presence 1');
    const confusing = '[[presence]]\napp = "a"\nreplace = { state = """\n[[presence]]\n""" }\n';
    expect((await read(confusing))[0]?.place).toBe('/f.toml: presence 1');
  });

  it.each([
    ['presence = 3', '/f.toml: presence: tables [[presence]] are expected.'],
    ['[[presence]]\napp = "a"\nhied = true', '/f.toml:1: hied: there is no such key. Did you mean "hide"?'],
    ['[[presence]]\napp = "a"', '/f.toml:1: the rule does nothing. Give one of hide, drop'],
    ['[[presence]]\nhide = true', '/f.toml:1: the rule has no condition. Give one of app,'],
    ['[[presence]]\napp = 3\nhide = true', '/f.toml:1: app: 3 is not a text, such as "Name"'],
    ['[[presence]]\napp = ""\nhide = true', '/f.toml:1: app: "": an empty pattern matches nothing.'],
    ['\n\n[[presence]]\napp = "re:("\nhide = true', '/f.toml:3: app: "re:(": '],
    [
      `[[presence]]\napp = "re:${'x'.repeat(10_000)}"\nhide = true`,
      'the pattern has 10003 characters, at most 1000',
    ],
    ['[[presence]]\napp = "a"\nhide = "yes"', '/f.toml:1: hide: "yes" is not true or false.'],
    [
      '[[presence]]\napp = "a"\ndrop = "details"',
      '/f.toml:1: drop: "details" is not a list of 1 to 64 names',
    ],
    [
      '[[presence]]\napp = "a"\ndrop = ["detail"]',
      '/f.toml:1: drop: "detail" is no field of an activity. Did you mean "details"?',
    ],
    [
      '[[presence]]\napp = "a"\nreplace = { detail = "xx" }',
      '/f.toml:1: replace: detail: there is no such key.',
    ],
    [
      '[[presence]]\napp = "a"\nreplace = { details = "x" }',
      '/f.toml:1: replace.details: "x" is not a text of 2 to 128 characters.',
    ],
    ['[[presence]]\napp = "a"\nonly = []', '/f.toml:1: only: [] is not a list of 1 to 64 names'],
    ['[[presence]]\napp = "a"\nrank = 1.5', '/f.toml:1: rank: 1.5 is not a whole number from -1000 to 1000.'],
    [
      '[[presence]]\napp = "a"\ntype = "plays"\nhide = true',
      '/f.toml:1: type: "plays" is not one of playing, ',
    ],
    ['[[presence]]\napp = "a"\ngive_way_to = ["re:["]', '/f.toml:1: give_way_to: "re:[": '],
    [
      '[[presence]]\napp = "A"\ngive_way_to = ["B"]\n[[presence]]\napp = "b"\ngive_way_to = ["a"]',
      '/f.toml:4: give_way_to: "a" and "b" give way to each other, so none of them would come first. Remove "a" from the rule for "b".',
    ],
    [
      '[[presence]]\napp = "A"\ngive_way_to = ["B"]\n[[presence]]\napp = "B"\ngive_way_to = ["C"]\n[[presence]]\napp = "C"\ngive_way_to = ["A"]',
      '"a" and "b" and "c" give way to each other',
    ],
  ])('%j is refused in one line', async (text, message) => {
    const error: Error = await read(text).then(
      () => new Error('nothing was refused'),
      (reason: Error) => reason,
    );
    expect(error.message).toContain(message);
    expect(error.message).not.toContain('\n');
    expect(error.message.length).toBeLessThan(400);
  });

  it('takes chains and a rule of an app for itself', async () => {
    const chain =
      '[[presence]]\napp = "A"\ngive_way_to = ["B", "A"]\n[[presence]]\napp = "B"\ngive_way_to = ["C"]\n';
    expect(await read(chain)).toHaveLength(2);
  });

  it('has at most 1000 rules', async () => {
    const text = '[[presence]]\napp = "a"\nhide = true\n'.repeat(1001);
    await expect(read(text)).rejects.toThrow('at most 1000 rules');
  });
});
