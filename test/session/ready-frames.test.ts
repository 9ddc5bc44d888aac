import { describe, expect, it } from 'vitest';
import type { CoreSession } from '../../src/core/core.ts';
import { ReadyFrames } from '../../src/session/core-output.ts';
import { offersStreams, STREAM_OFFER } from '../../src/wire/streams.ts';
import { fakeReady } from '../helpers/fake-core.ts';

const PLAIN = { withUser: true, isPaced: false };

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
    const first = frames.of(session({ trusted: true }), PLAIN);
    expect(frames.of(session({ trusted: true }), PLAIN)).toBe(first);
    const renamed = structuredClone(fakeReady);
    Object.assign(renamed.user ?? {}, { username: 'renamed' });
    expect(userOf(frames.of(session({ trusted: true, ready: renamed }), PLAIN))).toMatchObject({
      username: 'renamed',
    });
  });
  it('is encoded anew for a core that may have changed its data', () => {
    const frames = new ReadyFrames();
    const ready = structuredClone(fakeReady);
    frames.of(session({ ready }), PLAIN);
    Object.assign(ready.user ?? {}, { username: 'changed' });
    expect(userOf(frames.of(session({ ready }), PLAIN))).toMatchObject({ username: 'changed' });
    Object.assign(ready, { v: 2 });
    expect(frames.of(session({ ready }), PLAIN)).toBeUndefined();
  });
  it('omits the user only for connections that must not see it', () => {
    const frames = new ReadyFrames();
    const ours = session({ trusted: true });
    expect(userOf(frames.of(ours, PLAIN))).toMatchObject({ username: fakeReady.user?.username });
    expect(userOf(frames.of(ours, { ...PLAIN, withUser: false }))).toBeUndefined();
    expect(userOf(frames.of(ours, PLAIN))).toMatchObject({ username: fakeReady.user?.username });
  });
  it('offers streams on a paced connection only, in place of the offer of a chat client', () => {
    const frames = new ReadyFrames();
    const dataOf = (frame: { readonly body: Uint8Array } | undefined): Record<string, unknown> =>
      (JSON.parse(new TextDecoder().decode(frame?.body)) as { data: Record<string, unknown> }).data;
    const paced = { ...PLAIN, isPaced: true };
    for (const core of [session({ trusted: true }), session({}), session({ relay: async () => null })]) {
      expect(offersStreams(dataOf(frames.of(core, paced)))).toBe(true);
      expect(dataOf(frames.of(core, PLAIN))).not.toHaveProperty('footbridge');
    }
    const offered = { ...fakeReady, footbridge: { stream_ping: 'of the server behind' } };
    const relay = session({ ready: offered, relay: async () => null });
    expect(dataOf(frames.of(relay, paced))).toMatchObject(STREAM_OFFER);
    expect(dataOf(frames.of(relay, PLAIN))).not.toHaveProperty('footbridge');
  });
});
