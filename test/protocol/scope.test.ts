import { readFileSync } from 'node:fs';
import { OAuth2Scopes } from 'discord-api-types/v10';
import { describe, expect, it } from 'vitest';
import { commands, events } from '../../src/protocol/registry.ts';
import {
  allOf,
  allows,
  anyOf,
  describeRule,
  expandScopes,
  open,
  reachesClient,
  SCOPES,
  type ScopeRule,
  scopeRow,
  THINGS,
  type Thing,
} from '../../src/protocol/scope.ts';
import { publicDocument } from '../helpers/public-document.ts';
import { documentedRules } from './documented-rules.ts';

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
  ])('decides the case: %s', (_name, rule, scopes, expected) => {
    expect(allows(rule, scopes)).toBe(expected);
  });
});

it.each([
  [open, 'none'],
  [anyOf('rpc'), 'rpc'],
  [anyOf('rpc', 'identify'), 'rpc or identify'],
  [allOf('rpc', 'identify'), 'rpc and identify'],
])('describeRule describes %j', (rule, text) => {
  expect(describeRule(rule)).toBe(text);
});

describe('expandScopes', () => {
  it('preserves order, removes repetition and leaves ordinary scopes alone', () => {
    expect(expandScopes(['rpc', 'identify', 'rpc'])).toEqual(['rpc', 'identify']);
    expect(expandScopes(['constructor', '__proto__', ''])).toEqual(['constructor', '__proto__', '']);
    expect(expandScopes([])).toEqual([]);
  });
  it('retains an umbrella scope and adds its scopes once [A-13]', () => {
    const presence = expandScopes(['sdk.social_layer_presence']);
    const layer = expandScopes(['sdk.social_layer', 'sdk.social_layer_presence']);
    expect(presence[0]).toBe('sdk.social_layer_presence');
    expect(presence).toEqual(expect.arrayContaining(['identify', 'activities.write', 'rpc.voice.read']));
    expect(layer).toEqual(expect.arrayContaining([...presence, 'guilds', 'lobbies.write']));
    expect(new Set(layer).size).toBe(layer.length);
  });
  it.each(['sdk.social_layer', 'sdk.social_layer_presence'])(
    'never expands %s to the whole of rpc',
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

/** What commands and events say of themselves, where a scope of a token opens something without asking a person again. */
const declared: {
  name: string;
  rule: Exclude<ScopeRule, { kind: 'open' }>;
  about: readonly Thing[] | undefined;
}[] = Object.entries({ ...commands, ...events }).flatMap(([name, declaration]) => {
  const { scope: rule, about, refusal } = declaration;
  const waits = 'recorded' in declaration && declaration.recorded !== undefined;
  if (rule.kind === 'open' || refusal !== undefined || waits) return [];
  return rule.scopes.some((scope) => scopeRow(scope) !== undefined) ? [{ name, rule, about }] : [];
});

/** What a scope opens by its row and by the rows of what it implies. */
function opened(scope: string): Set<Thing> {
  return new Set(expandScopes([scope]).flatMap((one) => scopeRow(one)?.opens ?? []));
}

const says = (scope: string, thing: Thing): boolean => {
  const sentence = scopeRow(scope)?.sentence.toLowerCase() ?? '';
  return THINGS[thing].every((word) => sentence.includes(word));
};

it('every command and event has the scope rule of the protocol', () => {
  const rules = Object.entries({ ...commands, ...events }).map(([name, { scope }]) => [
    name,
    describeRule(scope),
  ]);
  const documented = Object.entries(documentedRules).flatMap(([rule, names]) =>
    names.map((name) => [name, rule]),
  );
  expect(Object.fromEntries(rules)).toEqual(Object.fromEntries(documented));
});

describe('the scope table', () => {
  it('has a sentence of its own for each scope', () => {
    const sentences = Object.values(SCOPES).map(({ sentence }) => sentence);
    expect(sentences.length).toBeGreaterThanOrEqual(45);
    expect(new Set(sentences).size).toBe(sentences.length);
    expect(scopeRow('constructor')).toBeUndefined();
  });

  it('implies only scopes that it has, and none that imply more', () => {
    for (const { implies = [] } of Object.values(SCOPES)) {
      for (const scope of implies) expect(scopeRow(scope)).toMatchObject({ sentence: expect.any(String) });
      for (const scope of implies) expect(scopeRow(scope)?.implies).toBeUndefined();
    }
  });

  it('requires every command and event that a token opens to name its subjects', () => {
    expect(declared.length).toBeGreaterThan(45);
    expect(declared.filter(({ about = [] }) => about.length === 0).map(({ name }) => name)).toEqual([]);
  });

  it.each(Object.keys(SCOPES))('names in the sentence of %s everything that the scope opens', (scope) => {
    const held = expandScopes([scope]);
    const things = opened(scope);
    for (const { name, rule, about = [] } of declared) {
      if (!held.some((one) => rule.scopes.includes(one))) continue;
      // Where one scope is not enough, one of those that are needed together has to say it.
      const speakers = rule.kind === 'any' ? [scope] : rule.scopes;
      for (const thing of about) {
        expect(
          speakers.some((speaker) => opened(speaker).has(thing) && says(speaker, thing)),
          `${name} is about ${thing}`,
        ).toBe(true);
      }
    }
    for (const thing of things) expect(says(scope, thing), `it opens ${thing}`).toBe(true);
    expect(things.size).toBeGreaterThan(0);
  });

  it('opens with a scope of the client only subjects of its commands and events', () => {
    for (const [scope, { opens }] of Object.entries(SCOPES)) {
      // The others open more over HTTP and the gateway.
      if (!/^rpc(?:\.|$)/.test(scope)) continue;
      const own = declared
        .filter(({ rule }) => rule.scopes.includes(scope))
        .flatMap(({ about = [] }) => about);
      if (own.length > 0)
        expect(
          opens.filter((thing) => !own.includes(thing)),
          scope,
        ).toEqual([]);
    }
  });

  it('uses every subject', () => {
    const used = new Set(Object.values(SCOPES).flatMap(({ opens }) => opens));
    expect(Object.keys(THINGS).filter((thing) => !used.has(thing as Thing))).toEqual([]);
  });

  it('detects an umbrella scope whose sentence omits a subject', () => {
    const voice = ['voice settings', 'voice channels', 'talking'] as const;
    for (const umbrella of ['sdk.social_layer', 'sdk.social_layer_presence']) {
      for (const thing of voice) expect(says(umbrella, thing)).toBe(true);
    }
    expect(says('identify', 'voice settings')).toBe(false);
  });
});

it.each([
  [['rpc'], true],
  [['rpc.voice.read'], true],
  [['messages.read'], true],
  [['identify', 'rpc'], true],
  [['sdk.social_layer_presence'], true],
  [['identify'], false],
  [['rpcs', 'xrpc', 'messages.readers'], false],
  [[], false],
])('reachesClient(%j) is %s', (scopes, expected) => {
  expect(reachesClient(scopes)).toBe(expected);
});

describe('the table of scopes', () => {
  it('has every scope of the public types', () => {
    expect(Object.values(OAuth2Scopes).filter((scope) => scopeRow(scope) === undefined)).toEqual([]);
  });

  it.skipIf(publicDocument === undefined)('has every scope of the public document', () => {
    const { components } = JSON.parse(readFileSync(publicDocument ?? '', 'utf8'));
    const flows: readonly { readonly scopes: object }[] = Object.values(
      components.securitySchemes.OAuth2.flows,
    );
    const scopes = new Set(flows.flatMap((flow) => Object.keys(flow.scopes)));
    expect([...scopes]).toEqual(expect.arrayContaining(['rpc.screenshare.read', 'rpc.video.write']));
    expect([...scopes].filter((scope) => scopeRow(scope) === undefined)).toEqual([]);
  });
});
