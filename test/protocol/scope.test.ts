import { describe, expect, it } from 'vitest';
import { allOf, allows, anyOf, describeRule, expandScopes, open } from '../../src/protocol/scope.ts';

const held = (...scopes: string[]) => new Set(scopes);

describe('allows', () => {
  it.each([
    ['open', open, held(), true],
    ['any, none held', anyOf('a', 'b'), held(), false],
    ['any, another held', anyOf('a', 'b'), held('c'), false],
    ['any, first held', anyOf('a', 'b'), held('a'), true],
    ['any, last held', anyOf('a', 'b'), held('b', 'c'), true],
    ['any of none', anyOf(), held('a'), false],
    ['all, none held', allOf('a', 'b'), held(), false],
    ['all, one held', allOf('a', 'b'), held('a'), false],
    ['all held', allOf('a', 'b'), held('b', 'a', 'c'), true],
    ['a scope that only starts alike', anyOf('rpc'), held('rpc.local', 'rp'), false],
    ['a name every object has', anyOf('rpc'), held('constructor', '__proto__'), false],
    ['a rule named like a member of every object', anyOf('toString'), held(), false],
  ])('%s', (_name, rule, scopes, expected) => {
    expect(allows(rule, scopes)).toBe(expected);
  });
});

it.each([
  [open, 'none'],
  [anyOf('rpc'), 'rpc'],
  [anyOf('rpc', 'identify'), 'rpc or identify'],
  [allOf('rpc', 'identify'), 'rpc and identify'],
])('describes %j', (rule, text) => {
  expect(describeRule(rule)).toBe(text);
});

describe('expandScopes', () => {
  it('keeps order, drops repetition and leaves ordinary scopes alone', () => {
    expect(expandScopes(['rpc', 'identify', 'rpc'])).toEqual(['rpc', 'identify']);
    expect(expandScopes(['constructor', '__proto__', ''])).toEqual(['constructor', '__proto__', '']);
    expect(expandScopes([])).toEqual([]);
  });
  it('keeps an umbrella and adds what it stands for, once', () => {
    const presence = expandScopes(['sdk.social_layer_presence']);
    const layer = expandScopes(['sdk.social_layer', 'sdk.social_layer_presence']);
    expect(presence[0]).toBe('sdk.social_layer_presence');
    expect(presence).toEqual(expect.arrayContaining(['identify', 'activities.write', 'rpc.voice.read']));
    expect(layer).toEqual(expect.arrayContaining([...presence, 'guilds', 'lobbies.write']));
    expect(new Set(layer).size).toBe(layer.length);
  });
  it.each(['sdk.social_layer', 'sdk.social_layer_presence'])(
    'never gives %s the whole of rpc',
    (umbrella) => {
      const scopes = expandScopes([umbrella]);
      for (const scope of [
        'rpc',
        'rpc.local',
        'rpc.private',
        'rpc.authenticated',
        'rpc.voice.write',
        'messages.read',
      ]) {
        expect(scopes).not.toContain(scope);
      }
    },
  );
});
