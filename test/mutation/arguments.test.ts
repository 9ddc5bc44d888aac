import { describe, expect, it } from 'vitest';
import { readArguments } from './arguments.ts';
import { FOLDERS } from './folders.ts';

const SEED = 42;
const read = (...args: string[]) => readArguments(args, SEED);

describe('the arguments of test:mutation', () => {
  it('accept folders with or without their source path, and mean all folders when empty', () => {
    expect(read('wire', 'src/session/')).toEqual({ kind: 'run', folders: ['wire', 'session'] });
    expect(read()).toEqual({ kind: 'run', folders: Object.keys(FOLDERS) });
  });
  it('request a sample with a random seed or a stated one', () => {
    expect(read('wire', '--sample', '150')).toMatchObject({ sample: { size: 150, seed: SEED } });
    expect(read('wire', '--sample', '150', '--seed', '0')).toMatchObject({ sample: { size: 150, seed: 0 } });
  });
  it.each(['--help', '-h'])('%s explains every option', (option) => {
    const text = expect.stringMatching(/--sample N[\s\S]*--seed S[\s\S]*--help[\s\S]*wire/);
    expect(read(option)).toEqual({ kind: 'help', text });
  });
  it.each([
    [['wires'], 'unknown folder wires. Known: wire, '],
    [['constructor'], 'unknown folder constructor. '],
    [['wire', '--sample', '0'], '--sample 0: expected an integer of at least 1'],
    [['wire', '--sample', '1.5'], '--sample 1.5: '],
    [
      ['wire', '--sample', '5', '--seed', '4294967296'],
      '--seed 4294967296: expected an integer from 0 to 4294967295',
    ],
    [['wire', '--seed', '5'], 'state its size with --sample N'],
    [['wire', '--samples', '5'], '--samples'],
  ])('reject %j', (args, message) => {
    expect(readArguments(args, SEED)).toEqual({
      kind: 'usage error',
      message: expect.stringContaining(message) as string,
    });
  });
});
