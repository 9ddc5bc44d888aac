import { resolve } from 'node:path';
import { LocalError } from '../base/local-error.ts';
import { didYouMean } from '../base/nearest.ts';
import { consentPolicies } from '../daemon/config/keys.ts';
import type { FixtureSource } from '../daemon/core-options.ts';
import type { WorldArguments } from './private-bridge.ts';

/** The options of `startEmulator`, checked. */
export interface CheckedOptions {
  readonly fixture: FixtureSource;
  readonly consent: 'ask' | 'allow' | 'deny';
  readonly strict: boolean;
}

const NAMES = ['fixture', 'consent', 'strict'] as const;

/** Validates a test's options. Throws `LocalError` FOOTBRIDGE_OPTIONS, which names the option and its valid values. */
export function checkOptions(input: unknown): CheckedOptions {
  if (input === undefined) return { fixture: null, consent: 'allow', strict: false };
  if (!isPlainObject(input)) {
    throw wrong('options', input, `an object with ${NAMES.join(', ')}`);
  }
  const unknown = unknownOption(input, NAMES);
  if (unknown !== undefined) throw optionError(unknown);
  const { fixture, consent, strict = false } = input as Partial<Record<(typeof NAMES)[number], unknown>>;
  return {
    fixture: checkFixture(fixture),
    consent: checkConsent(consent) ?? 'allow',
    strict: checkStrict(strict),
  };
}

const WORLD_NAMES = ['name', ...NAMES] as const;

/** Validates the options of a world, in the form of `world.add`. Throws as {@link checkOptions} does. */
export function checkWorldOptions(input: unknown = {}): WorldArguments {
  if (!isPlainObject(input))
    throw wrong('options', input, `an object with ${WORLD_NAMES.join(', ')}`, 'world');
  const unknown = unknownOption(input, WORLD_NAMES);
  if (unknown !== undefined) throw optionError(unknown, 'world');
  const {
    name,
    fixture,
    consent,
    strict = false,
  } = input as Partial<Record<(typeof WORLD_NAMES)[number], unknown>>;
  if (name !== undefined && typeof name !== 'string') throw wrong('name', name, 'a text', 'world');
  const checked = checkFixture(fixture, 'world');
  const policy = checkConsent(consent, 'world');
  return {
    ...(name === undefined ? {} : { name }),
    ...(checked === null ? {} : { fixture: typeof checked === 'string' ? checked : { ...checked.inline } }),
    ...(policy === undefined ? {} : { consent: policy }),
    strict: checkStrict(strict, 'world'),
  };
}

function checkStrict(strict: unknown, caller?: Caller): boolean {
  if (typeof strict !== 'boolean') throw wrong('strict', strict, 'true or false', caller);
  return strict;
}

function checkConsent(consent: unknown, caller?: Caller): CheckedOptions['consent'] | undefined {
  if (consent === undefined) return undefined;
  const policy = consentPolicies.find((one) => one === consent);
  if (policy === undefined) throw wrong('consent', consent, `one of ${consentPolicies.join(', ')}`, caller);
  return policy;
}

function checkFixture(fixture: unknown, caller?: Caller): FixtureSource {
  if (fixture === undefined) return null;
  if (typeof fixture === 'string' && fixture !== '') return resolve(fixture);
  if (!isPlainObject(fixture))
    throw wrong('fixture', fixture, 'the path of a file, or an object as one holds', caller);
  // The object is copied, so that later changes by the test do not affect a restart.
  if (Object.keys(fixture).length > 0) return { inline: copied(fixture) };
  throw optionError(
    'fixture: is empty, and a fixture has at least "me" and "users". Leave it out for the built-in one.',
    caller,
  );
}

function copied(fixture: object): object {
  try {
    return structuredClone(fixture);
  } catch {
    // The object contains a value that a fixture cannot have; the fixture's reader reports it.
    return fixture;
  }
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // The check also accepts an object of another realm, as in test runners.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Refuses options of `caller` that it does not have. @throws LocalError FOOTBRIDGE_ARGUMENTS. */
export function requireKnown(caller: string, input: object, names: readonly string[]): void {
  const unknown = unknownOption(input, names);
  if (unknown !== undefined) throw new LocalError('FOOTBRIDGE_ARGUMENTS', `${caller}: ${unknown}`);
}

function unknownOption(input: object, names: readonly string[]): string | undefined {
  const unknown = Object.keys(input).find((name) => !names.includes(name));
  if (unknown === undefined) return undefined;
  return `there is no option ${quote(unknown)}.${didYouMean(unknown, names)} It takes ${names.join(', ')}.`;
}

/** The function whose options are wrong. */
type Caller = 'startEmulator' | 'world';

function wrong(name: string, value: unknown, what: string, caller?: Caller): LocalError {
  return optionError(`${name}: must be ${what}, not ${quoted(value)}.`, caller);
}

function optionError(problem: string, caller: Caller = 'startEmulator'): LocalError {
  return new LocalError('FOOTBRIDGE_OPTIONS', `${caller}: ${problem}`);
}

/** Describes an invalid value briefly, for an error message. */
export function quoted(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value);
  return Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`;
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 60));
}
