import { LocalError } from '../../base/local-error.ts';
import type { Client } from '../../client/client.ts';
import type { Channel, VoiceSettings, VoiceSettingsPatch, VoiceState } from '../../client/generated.ts';
import { channelId, userId } from './lookup.ts';
import { isDue, type OwnSessionOptions, openOwnSession } from './own-session.ts';
import { asRefusal, stillWaiting } from './refusal.ts';
import {
  applyMute,
  MODES,
  type Mode,
  type MuteChange,
  muteUnder,
  type VoiceFacts,
  type VoiceView,
  viewOf,
} from './state.ts';

/** Time for which push to talk stays pressed without a release (ms). */
const MAX_TALK_MS = 5 * 60_000;
/** Time after which an unused session ends (ms). */
const IDLE_MS = 5 * 60_000;
/** Time for which a command waits for the user's consent (ms); the request itself waits on. */
const CONSENT_MS = 30_000;

/** Changes of one command, each optional. */
export interface VoiceChange extends MuteChange {
  readonly talk?: boolean | undefined;
  readonly mode?: Mode | undefined;
  readonly input?: number | undefined;
  readonly output?: number | undefined;
  /** Id or name of another user, and that user's local volume. */
  readonly user?: string | undefined;
  readonly volume?: number | undefined;
  /** Id or name of a voice channel; null leaves the current one. */
  readonly channel?: string | null | undefined;
}

/** A state with its number. */
interface VersionedView extends VoiceView {
  readonly version: number;
}

/** Timers and wall clock; a test has its own. */
export interface VoiceClock {
  now(): number;
  /** Calls a task once; the returned function cancels the call. The timer does not keep the process alive. */
  after(ms: number, task: () => void): () => void;
}

/** Everything that voice needs of its bridge. */
export interface VoiceOptions extends Omit<OwnSessionOptions, 'now' | 'asking' | 'signal'> {
  readonly clock: VoiceClock;
}

/** The session and what it has said. */
interface Live {
  readonly client: Client;
  facts: VoiceFacts;
  /** Ends the subscriptions for the current channel. */
  leaveChannel: (() => void)[];
}

/** Voice of the user, through a session of the bridge's own at its core. Nothing is opened before the first call. */
export class Voice {
  readonly #options: VoiceOptions;
  #live: Live | undefined;
  #opening: Promise<Live> | undefined;
  #isAsking = false;
  /** True after the user has refused; a follower then does not ask again. */
  #isRefused = false;
  readonly #closed = new AbortController();
  #changes: Promise<unknown> = Promise.resolve();
  #version = 0;
  #waiters = new Set<() => void>();
  #followers = 0;
  #cancelIdle: () => void = () => {};
  #cancelTalk: () => void = () => {};
  /** True once a setting was changed: a client may undo the changes of an app that leaves (protocol 6.4). */
  #hasChanged = false;

  constructor(options: VoiceOptions) {
    this.#options = options;
  }

  /** Number of the current state; each change adds one. */
  get version(): number {
    return this.#version;
  }

  /**
   * The state. `passive`: the user is not asked again after a refusal. `verified`: the client is asked, because it tells
   * nothing when it goes away, and its session stays. Rejects where it is away.
   */
  async show({ passive = false, verified = true } = {}): Promise<VersionedView> {
    const isNew = this.#live === undefined;
    const live = await this.#use(passive);
    if (verified && !isNew) {
      try {
        this.#learn(live, await live.client.request('GET_VOICE_SETTINGS'));
        await this.#readChannel(live);
      } catch (error) {
        throw asRefusal(error, this.#options.place);
      }
    }
    return this.#viewOf(live);
  }

  /** Resolves after the next change, or after `ms`. */
  async changed(ms: number): Promise<void> {
    this.#followers += 1;
    await new Promise<void>((resolve) => {
      const cancel = this.#options.clock.after(ms, () => done());
      const done = (): void => {
        this.#waiters.delete(done);
        cancel();
        resolve();
      };
      this.#waiters.add(done);
    });
    this.#followers -= 1;
  }

  /** Applies changes after those of earlier calls, so that two toggles undo each other. Resolves with the state after them. */
  change(change: VoiceChange): Promise<VersionedView> {
    const next = this.#changes.then(() => this.#change(change));
    this.#changes = next.catch(() => {});
    return next;
  }

  async close(): Promise<void> {
    // A request for consent must not outlive the bridge.
    this.#closed.abort(
      new LocalError('FOOTBRIDGE_VOICE_AWAY', 'The bridge is shutting down. Run this again.'),
    );
    await this.#end();
    this.#wake();
    await this.#opening?.catch(() => {});
    this.#options.tokens.close();
  }

  async #change(change: VoiceChange): Promise<VersionedView> {
    const live = await this.#use(false);
    const { client } = live;
    try {
      if (change.user !== undefined && change.volume !== undefined) {
        const user_id = userId(change.user, live.facts.channel, live.facts.me);
        await client.request('SET_USER_VOICE_SETTINGS', { user_id, volume: change.volume });
        await this.#readChannel(live);
      }
      if (change.channel !== undefined) await this.#select(live, change.channel);
      const patch = settingsPatch(change);
      if (patch !== undefined) this.#learn(live, await this.#set(client, patch));
      if (change.mute !== undefined || change.deafen !== undefined) {
        const muted = await applyMute(live.facts, change, (muting) => this.#set(client, muting));
        this.#learn(live, muted.settings, muted);
      }
      if (change.talk !== undefined) await this.#talk(live, change.talk);
    } catch (error) {
      throw asRefusal(error, this.#options.place);
    }
    return this.#viewOf(live);
  }

  #viewOf({ facts }: Live): VersionedView {
    return { ...viewOf(facts), version: this.#version };
  }

  #set(client: Client, patch: VoiceSettingsPatch): Promise<VoiceSettings> {
    this.#hasChanged = true;
    return client.request('SET_VOICE_SETTINGS', patch);
  }

  async #select(live: Live, wanted: string | null): Promise<void> {
    const { client } = live;
    const current = live.facts.channel?.id ?? null;
    const channel_id = wanted === null ? null : await channelId(wanted, client);
    if (channel_id === current) return;
    await client.request('SELECT_VOICE_CHANNEL', { channel_id, force: true });
    await this.#readChannel(live);
  }

  async #talk(live: Live, pressed: boolean): Promise<void> {
    const { channel, settings } = live.facts;
    if (pressed && channel === null)
      throw new LocalError(
        'FOOTBRIDGE_VOICE_STATE',
        'You are in no voice channel. Run: footbridge voice join CHANNEL',
      );
    if (pressed && settings.mode.type !== MODES['push-to-talk']) {
      throw new LocalError(
        'FOOTBRIDGE_VOICE_STATE',
        'Voice opens by itself, so push to talk has no effect. Run: footbridge voice mode push-to-talk',
      );
    }
    if (pressed) {
      this.#cancelTalk();
      // It begins before the answer: a client that answers with an error, or not at all, may talk all the same.
      this.#cancelTalk = this.#options.clock.after(MAX_TALK_MS, () => void this.#release());
    }
    await live.client.request('PUSH_TO_TALK', { active: pressed });
    if (!pressed) this.#cancelTalk();
    this.#update(live, { pressed });
  }

  /** Releases push to talk; a client that does not take that releases it with the end of the session. */
  async #release(): Promise<void> {
    await this.change({ talk: false }).catch(() => this.#end());
  }

  /** The session, opened where there is none; undefined facts never leave this method. */
  async #use(passive: boolean): Promise<Live> {
    const { clock, place, tokens } = this.#options;
    this.#cancelIdle();
    this.#cancelIdle = clock.after(IDLE_MS, () => this.#endIfIdle());
    if (this.#live !== undefined) {
      const token = tokens.load();
      if (token === undefined || !isDue(token, clock.now()) || this.#live.facts.pressed) return this.#live;
      // The protocol changes the token of a connection by a new connection only.
      await this.#end();
    }
    if (passive && this.#isRefused) throw new LocalError('FOOTBRIDGE_CONSENT', NOT_ASKED_AGAIN);
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
      this.#isAsking = false;
    });
    this.#opening.catch(() => {});
    let cancel = (): void => {};
    const late = new Promise<never>((_, reject) => {
      cancel = clock.after(CONSENT_MS, () => {
        if (this.#isAsking) reject(stillWaiting());
      });
    });
    try {
      return await Promise.race([this.#opening, late]);
    } catch (error) {
      const refusal = asRefusal(error, place);
      this.#isRefused = Object(refusal).code === 'FOOTBRIDGE_CONSENT' && !this.#isAsking;
      throw refusal;
    } finally {
      cancel();
    }
  }

  async #open(): Promise<Live> {
    const { clock } = this.#options;
    const client = await openOwnSession({
      ...this.#options,
      now: () => clock.now(),
      signal: this.#closed.signal,
      asking: () => {
        this.#isAsking = true;
      },
    });
    try {
      const settings: VoiceSettings = await client.request('GET_VOICE_SETTINGS');
      const facts = {
        settings,
        channel: null,
        me: client.user?.id,
        muteUnderDeafening: undefined,
        pressed: false,
      };
      const live: Live = { client, facts, leaveChannel: [] };
      client.on('disconnected', () => {
        if (this.#live === live) this.#forget();
      });
      await client.subscribe('VOICE_SETTINGS_UPDATE', {}, (data) => this.#learn(live, data as VoiceSettings));
      await client.subscribe('VOICE_CHANNEL_SELECT', {}, () => void this.#readChannel(live).catch(() => {}));
      await this.#readChannel(live);
      this.#live = live;
      this.#isRefused = false;
      return live;
    } catch (error) {
      await client.close();
      throw error;
    }
  }

  /** Reads the current channel, and follows the voice states in it. */
  async #readChannel(live: Live): Promise<void> {
    const { client } = live;
    const channel = (await client.request('GET_SELECTED_VOICE_CHANNEL')) as Channel | null;
    if (channel?.id !== live.facts.channel?.id) {
      for (const leave of live.leaveChannel.splice(0)) leave();
      if (channel !== null) await this.#followChannel(live, channel.id);
    }
    this.#update(live, { channel });
    if (channel === null && live.facts.pressed) {
      this.#cancelTalk();
      this.#update(live, { pressed: false });
    }
  }

  async #followChannel(live: Live, id: string): Promise<void> {
    const put = (state: VoiceState): void => {
      const { channel } = live.facts;
      if (channel?.id !== id) return;
      const at = channel.voice_states.findIndex(({ user }) => user.id === state.user.id);
      const voice_states = at < 0 ? [...channel.voice_states, state] : channel.voice_states.with(at, state);
      this.#update(live, { channel: { ...channel, voice_states } });
    };
    const remove = ({ user: left }: VoiceState): void => {
      const { channel } = live.facts;
      if (channel?.id !== id) return;
      const voice_states = channel.voice_states.filter(({ user }) => user.id !== left.id);
      this.#update(live, { channel: { ...channel, voice_states } });
    };
    const follow = [
      ['VOICE_STATE_CREATE', put],
      ['VOICE_STATE_UPDATE', put],
      ['VOICE_STATE_DELETE', remove],
    ] as const;
    for (const [event, handle] of follow) {
      const stop = await live.client.subscribe(event, { channel_id: id }, (data) =>
        handle(data as VoiceState),
      );
      live.leaveChannel.push(() => void stop());
    }
  }

  #learn(live: Live, settings: VoiceSettings, more?: Pick<VoiceFacts, 'muteUnderDeafening'>): void {
    this.#update(live, { settings, ...(more ?? { muteUnderDeafening: muteUnder(live.facts, settings) }) });
  }

  #update(live: Live, change: Partial<VoiceFacts>): void {
    const before = JSON.stringify(viewOf(live.facts));
    live.facts = { ...live.facts, ...change };
    if (JSON.stringify(viewOf(live.facts)) !== before) this.#wake();
  }

  #wake(): void {
    this.#version += 1;
    for (const waiter of this.#waiters) waiter();
  }

  #endIfIdle(): void {
    const keeps = this.#hasChanged && this.#options.place.core !== 'emulator';
    if (this.#followers > 0 || this.#live?.facts.pressed === true || keeps) {
      this.#cancelIdle = this.#options.clock.after(IDLE_MS, () => this.#endIfIdle());
      return;
    }
    void this.#end();
  }

  async #end(): Promise<void> {
    this.#cancelIdle();
    const live = this.#live;
    this.#forget();
    await live?.client.close();
  }

  #forget(): void {
    this.#cancelTalk();
    if (this.#live === undefined) return;
    this.#live = undefined;
    this.#wake();
  }
}

const NOT_ASKED_AGAIN = 'You refused Footbridge voice. footbridge voice show asks you again.';

/** Settings to set besides mute and deafening; undefined where there are none. */
function settingsPatch({ mode, input, output }: VoiceChange): VoiceSettingsPatch | undefined {
  if (mode === undefined && input === undefined && output === undefined) return undefined;
  return {
    ...(mode === undefined ? {} : { mode: { type: MODES[mode] } }),
    ...(input === undefined ? {} : { input: { volume: input } }),
    ...(output === undefined ? {} : { output: { volume: output } }),
  };
}
