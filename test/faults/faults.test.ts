import { describe, expect, it } from 'vitest';
import { Faults, MAX_FAULTS } from '../../src/faults/faults.ts';

const GUILDS = { on: 'rpc', command: 'GET_GUILDS', application: '1' } as const;

describe('faults', () => {
  it('match the requests that they are for, and count the matches', () => {
    const faults = new Faults();
    const { id } = faults.add({ effect: { kind: 'drop' }, where: { on: 'rpc', command: 'GET_GUILDS' } });
    expect(faults.match(GUILDS, ['drop'])).toEqual({ fault: id, effect: { kind: 'drop' }, seed: 1 });
    expect(faults.match({ ...GUILDS, command: 'GET_GUILD' }, ['drop'])).toBeUndefined();
    expect(faults.match({ on: 'webhook', application: '1' }, ['drop'])).toBeUndefined();
    expect(faults.list()).toMatchObject([{ id, struck: 1, probability: 1 }]);
  });
  it('match only where their kind applies', () => {
    const faults = new Faults();
    faults.add({ effect: { kind: 'split' }, where: { on: 'rpc' } });
    expect(faults.match(GUILDS, ['drop', 'error'])).toBeUndefined();
    expect(faults.list()).toMatchObject([{ struck: 0 }]);
  });
  it('match only the application that they name', () => {
    const faults = new Faults();
    faults.add({ effect: { kind: 'drop' }, where: { on: 'rpc' }, application: '2' });
    expect(faults.match(GUILDS, ['drop'])).toBeUndefined();
    expect(faults.match({ ...GUILDS, application: '2' }, ['drop'])).toBeDefined();
  });
  it('expire after their number of matches, and never reuse an id', () => {
    const faults = new Faults();
    faults.add({ effect: { kind: 'drop' }, where: { on: 'rpc' }, count: 2 });
    expect([1, 2, 3].map(() => faults.match(GUILDS, ['drop'])?.fault)).toEqual(['f1', 'f1', undefined]);
    expect(faults.isEmpty).toBe(true);
    expect(faults.add({ effect: { kind: 'drop' }, where: { on: 'rpc' } }).id).toBe('f2');
  });
  it('match the same requests with the same seed, and about as many as their probability states', () => {
    const run = (seed: number): string => {
      const faults = new Faults();
      faults.add({ effect: { kind: 'drop' }, where: { on: 'rpc' }, probability: 0.3, seed });
      return Array.from({ length: 1000 }, () => (faults.match(GUILDS, ['drop']) ? 'x' : '.')).join('');
    };
    expect(run(7)).toBe(run(7));
    expect(run(7)).not.toBe(run(8));
    const struck = run(7).split('x').length - 1;
    expect(struck).toBeGreaterThan(240);
    expect(struck).toBeLessThan(360);
  });
  it.each([
    ['GET', '/users/@me', true],
    ['POST', '/users/@me', false],
    ['GET', '/users/@me/guilds', false],
    ['GET', '/usersX@me', false],
  ])('of the route GET /users/{id} match %s %s: %s', (method, path, strikes) => {
    const faults = new Faults();
    faults.add({ effect: { kind: 'drop' }, where: { on: 'http', method: 'GET', path: '/users/{id}' } });
    expect(faults.match({ on: 'http', method, path, application: undefined }, ['drop']) !== undefined).toBe(
      strikes,
    );
  });
  it('are limited to 100, and can be removed', () => {
    const faults = new Faults();
    for (let i = 0; i < MAX_FAULTS; i += 1) faults.add({ effect: { kind: 'split' }, where: { on: 'rpc' } });
    expect(() => faults.add({ effect: { kind: 'split' }, where: { on: 'rpc' } })).toThrow(
      '100 faults already',
    );
    expect(faults.remove('f1')).toBe(true);
    expect(faults.remove('f1')).toBe(false);
    faults.clear();
    expect(faults.list()).toEqual([]);
  });
});
