import { describe, expect, it } from 'vitest';
import {
  Activity,
  ActivityAssets,
  ActivityButton,
  AdditionalContent,
  AdditionalContentType,
  AuthorizationArgs,
  AuthorizationCodeChallenge,
  AuthorizationCodeVerifier,
  VoiceSettings,
} from '../../src/sdk/index.ts';

/** A class of the SDK, one of its objects that is not as it was made, and what tells the two apart. */
interface Sample<T> {
  readonly type: {
    new (other?: T): T;
    readonly nullobj: T;
    move(source: T): T;
  };
  readonly make: () => T;
  readonly look: (object: T) => unknown;
  /** Undefined for a class without setters. */
  readonly change?: (object: T) => void;
}

interface SdkLike {
  IsValid(): boolean;
  assign(other: unknown): unknown;
  moveFrom(other: unknown): unknown;
}

function challenge(text = 'challenge'): AuthorizationCodeChallenge {
  const made = new AuthorizationCodeChallenge();
  made.SetChallenge(text);
  return made;
}

const args: Sample<AuthorizationArgs> = {
  type: AuthorizationArgs,
  make() {
    const made = new AuthorizationArgs();
    made.SetScopes('openid');
    made.SetCodeChallenge(challenge());
    return made;
  },
  look: (object) => [object.Scopes(), object.CodeChallenge()?.Challenge()],
  change: (object) => object.SetScopes('changed'),
};
const codeChallenge: Sample<AuthorizationCodeChallenge> = {
  type: AuthorizationCodeChallenge,
  make: () => challenge(),
  look: (object) => object.Challenge(),
  change: (object) => object.SetChallenge('changed'),
};
const codeVerifier: Sample<AuthorizationCodeVerifier> = {
  type: AuthorizationCodeVerifier,
  make() {
    const made = new AuthorizationCodeVerifier();
    made.SetVerifier('verifier');
    made.SetChallenge(challenge());
    return made;
  },
  look: (object) => [object.Verifier(), object.Challenge().Challenge()],
  change: (object) => object.SetVerifier('changed'),
};
const voiceSettings: Sample<VoiceSettings> = {
  type: VoiceSettings,
  make: () =>
    new VoiceSettings({ mute: true, input: { volume: 40, device_id: 'default', available_devices: [] } }),
  look: (object) => [object.SelfMute(), object.InputVolume()],
};
const activity: Sample<Activity> = {
  type: Activity,
  make() {
    const made = new Activity();
    made.SetDetails('By the river');
    const assets = new ActivityAssets();
    assets.SetLargeImage('boat');
    made.SetAssets(assets);
    made.AddButton(new ActivityButton());
    return made;
  },
  look: (object) => [object.Details(), object.Assets()?.LargeImage(), object.GetButtons().length],
  change: (object) => object.SetDetails('changed'),
};

const content: Sample<AdditionalContent> = {
  type: AdditionalContent,
  make() {
    const made = new AdditionalContent();
    made.SetType(AdditionalContentType.Poll);
    made.SetTitle('Tide?');
    made.SetCount(1);
    return made;
  },
  look: (object) => [object.Type(), object.Title(), object.Count()],
  change: (object) => object.SetTitle(undefined),
};

const samples = {
  AuthorizationArgs: args,
  AuthorizationCodeChallenge: codeChallenge,
  AuthorizationCodeVerifier: codeVerifier,
  VoiceSettings: voiceSettings,
  Activity: activity,
  AdditionalContent: content,
};
type AnySample = Sample<SdkLike>;

describe.each(Object.entries(samples))('%s', (name, sample) => {
  const { type, make, look, change } = sample as unknown as AnySample;
  const Class = type;

  it('is deeply copy-constructible: the copy is equal, and independent in both directions [A-9]', () => {
    const original = make();
    const copy = new Class(original);
    expect(look(copy)).toEqual(look(make()));
    change?.(copy);
    expect(look(original)).toEqual(look(make()));
    if (change) expect(look(copy)).not.toEqual(look(original));
  });

  it('is deeply copy-assignable, also to a null object [A-9]', () => {
    const original = make();
    const target = new Class();
    expect(target.assign(original)).toBe(target);
    change?.(original);
    expect(look(target)).toEqual(look(make()));
    const emptied = make();
    Class.move(emptied);
    emptied.assign(make());
    expect(look(emptied)).toEqual(look(make()));
  });

  it('is move-constructible and move-assignable: the source is null afterwards [A-9]', () => {
    const source = make();
    const moved = Class.move(source);
    expect(moved).toBeInstanceOf(Class);
    expect(look(moved)).toEqual(look(make()));
    expect([moved.IsValid(), source.IsValid()]).toEqual([true, false]);
    const target = new Class();
    expect(target.moveFrom(moved)).toBe(target);
    expect(look(target)).toEqual(look(make()));
    expect(moved.IsValid()).toBe(false);
  });

  it('is unchanged after it is assigned or moved to itself [A-9]', () => {
    const object = make();
    object.assign(object);
    object.moveFrom(object);
    expect(object.IsValid()).toBe(true);
    expect(look(object)).toEqual(look(make()));
  });

  it('is valid when it holds an object, and null when it is copied or moved from null [A-10]', () => {
    expect(new Class().IsValid()).toBe(true);
    expect(new Class(Class.nullobj).IsValid()).toBe(false);
    expect(new Class().assign(Class.nullobj)).toHaveProperty('IsValid');
    const emptied = make();
    emptied.assign(Class.nullobj);
    expect(emptied.IsValid()).toBe(false);
  });

  it('has a constant nullobj: frozen, invalid, and refusing every change [A-10]', () => {
    const { nullobj } = Class;
    expect(Class.nullobj).toBe(nullobj);
    expect(Object.isFrozen(nullobj)).toBe(true);
    expect(nullobj.IsValid()).toBe(false);
    expect(() => nullobj.assign(make())).toThrow(`${name}.nullobj cannot be changed`);
    expect(() => nullobj.moveFrom(make())).toThrow(`${name}.nullobj cannot be changed`);
    if (change) expect(() => change(nullobj)).toThrow(`${name} is null`);
    expect(nullobj.IsValid()).toBe(false);
  });

  it('reports the cause when a null object is read or changed', () => {
    const emptied = make();
    Class.move(emptied);
    expect(() => look(emptied)).toThrow(
      new TypeError(`${name} is null: it was moved elsewhere, or is a copy of nullobj`),
    );
  });

  it('accepts only objects of its own class', () => {
    expect(() => new Class().assign({})).toThrow(`${name}: the other object must be of the same class`);
    expect(() => new Class().moveFrom(null)).toThrow(TypeError);
    const other = Class === AuthorizationArgs ? new VoiceSettings() : new AuthorizationArgs();
    for (const wrong of name === 'VoiceSettings' ? [other, null] : [other, null, {}, 'x'])
      expect(() => new Class(wrong as never)).toThrow(`${name}: the other object must be of the same class`);
  });
});

describe('Activity', () => {
  it('is equal to another with the same value in every field, including nested ones', () => {
    const { make } = activity;
    expect(make().Equals(make())).toBe(true);
    const changes: ((object: Activity) => void)[] = [
      (object) => object.SetName('x'),
      (object) => object.SetType(2),
      (object) => object.SetApplicationId(1n),
      (object) => object.SetParentApplicationId('1'),
      (object) => object.SetAssets(undefined),
      (object) => object.SetAssets(new ActivityAssets()),
      (object) => object.AddButton(new ActivityButton()),
    ];
    for (const change of changes) {
      const [one, other] = [make(), make()];
      change(one);
      expect([one.Equals(other), other.Equals(one)]).toEqual([false, false]);
      change(other);
      expect(one.Equals(other)).toBe(true);
    }
    expect([
      make().Equals(Activity.nullobj),
      new Activity(Activity.nullobj).Equals(Activity.nullobj),
    ]).toEqual([false, true]);
    for (const wrong of [undefined, null, {}, new AuthorizationArgs()])
      expect(() => make().Equals(wrong as never)).toThrow(
        'Activity: the other object must be of the same class',
      );
  });

  it('sets applications by ids, and unsets them', () => {
    const made = new Activity();
    expect([made.ApplicationId(), made.ParentApplicationId()]).toEqual([undefined, undefined]);
    made.SetApplicationId('5');
    made.SetParentApplicationId(6n);
    expect([made.ApplicationId(), made.ParentApplicationId()]).toEqual([5n, 6n]);
    for (const wrong of [null, 5, 'x', -1n, 2n ** 64n]) {
      expect(() => made.SetApplicationId(wrong as never)).toThrow(/^ApplicationId: must be /);
      expect(() => made.SetParentApplicationId(wrong as never)).toThrow(/^ParentApplicationId: must be /);
    }
    made.SetApplicationId(undefined);
    expect(made.ApplicationId()).toBeUndefined();
  });
});

it('objects are returned by value: a change to the result of a getter changes nothing else', () => {
  const holder = new AuthorizationArgs();
  const given = challenge();
  holder.SetCodeChallenge(given);
  given.SetChallenge('changed after it was set');
  holder.CodeChallenge()?.SetChallenge('changed after it was read');
  expect(holder.CodeChallenge()?.Challenge()).toBe('challenge');
});
