import { describe, expect, it } from 'vitest';
import type { CoreSession } from '../../src/core/core.ts';
import { ReadyFrames } from '../../src/session/core-output.ts';
import { fakeReady } from '../helpers/fake-core.ts';

const session = (changes: Partial<CoreSession>): CoreSession => ({
  ready: fakeReady,
  handlers: {},
  close() {},
  ...changes,
});
const userOf = (frame: { readonly body: Uint8Array } | undefined): unknown =>
  (JSON.parse(new TextDecoder().decode(frame?.body)) as { data: { user?: unknown } }).data.user;

describe('READY', () => {
  it('is encoded once for the sessions of a trusted core', () => {
    const frames = new ReadyFrames();
    const first = frames.of(session({ trusted: true }), true);
    expect(frames.of(session({ trusted: true }), true)).toBe(first);
    const renamed = structuredClone(fakeReady);
    Object.assign(renamed.user ?? {}, { username: 'renamed' });
    expect(userOf(frames.of(session({ trusted: true, ready: renamed }), true))).toMatchObject({
      username: 'renamed',
    });
  });
  it('is encoded anew for a core that may have changed its data', () => {
    const frames = new ReadyFrames();
    const ready = structuredClone(fakeReady);
    frames.of(session({ ready }), true);
    Object.assign(ready.user ?? {}, { username: 'changed' });
    expect(userOf(frames.of(session({ ready }), true))).toMatchObject({ username: 'changed' });
    Object.assign(ready, { v: 2 });
    expect(frames.of(session({ ready }), true)).toBeUndefined();
  });
  it('omits the user only for connections that must not see it', () => {
    const frames = new ReadyFrames();
    const ours = session({ trusted: true });
    expect(userOf(frames.of(ours, true))).toMatchObject({ username: fakeReady.user?.username });
    expect(userOf(frames.of(ours, false))).toBeUndefined();
    expect(userOf(frames.of(ours, true))).toMatchObject({ username: fakeReady.user?.username });
  });
});
