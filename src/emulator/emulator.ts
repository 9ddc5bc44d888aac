import type { Change } from './change.ts';
import type { Clock } from './clock.ts';
import type {
  Application,
  Channel,
  ConsentPolicy,
  Fixture,
  Guild,
  User,
  VoiceSettings,
} from './fixture/fixture.ts';
import type { Log } from './log.ts';
import type { OAuth2 } from './oauth2/oauth2.ts';

/** What the logged-in user may know of a channel id. */
export type ChannelLookup =
  | { readonly kind: 'found'; readonly channel: Channel }
  | { readonly kind: 'denied'; readonly id: string }
  | { readonly kind: 'unknown'; readonly id: string };

/** A token endpoint that listens on loopback. */
export interface TokenEndpoint {
  readonly port: number;
  /** Base address without a trailing slash, such as `http://127.0.0.1:4000/api`. */
  readonly url: string;
  close(): Promise<void>;
}

/** The offline service. It answers synchronously from memory; what must survive a restart is awaited. */
export interface Emulator {
  /** Subscribes to changes; the returned function ends it. A listener that throws is logged, not propagated. */
  onChange(listener: (change: Change) => void): () => void;

  me(): User;
  user(id: string): User | undefined;
  users(): readonly User[];
  /** Any snowflake is an application unless the fixture is strict; `undefined` otherwise. */
  application(clientId: string): Application | undefined;

  guild(id: string): Guild | undefined;
  guilds(): readonly Guild[];
  /** Channels that the logged-in user may view, of one guild or of all, in the order of the fixture. */
  channels(guildId?: string): readonly Channel[];
  channel(id: string): ChannelLookup;
  /** @throws SettingError naming the key. */
  setGuild(id: string, key: 'name' | 'icon', value: string | null): Guild;

  voiceSettings(): VoiceSettings;
  /** Merges a partial object and returns the whole. Unknown keys are ignored. @throws SettingError naming the field. */
  setVoiceSettings(patch: unknown): VoiceSettings;
  /** Sets one field by its dotted key from text a person typed. @throws SettingError naming the key. */
  setVoice(key: string, value: string): VoiceSettings;
  selectedVoiceChannel(): Channel | null;
  /** Null leaves. @throws SettingError when the channel is unknown, not viewable or has no voice. */
  selectVoiceChannel(channelId: string | null): Channel | null;

  readonly oauth2: OAuth2;

  /** The state in the shape of a fixture, with client secrets left out. */
  show(): Fixture;
  /** Applies a merge-style patch as one step. @throws FixtureError and changes nothing when the result is not valid. */
  apply(patch: unknown): Promise<readonly Change[]>;
  /** Goes back to the fixture the emulator was started with; grants and tokens stay. */
  reset(): readonly Change[];

  /** Starts the token endpoint on 127.0.0.1; port 0 takes a free one. */
  listen(options: { readonly port: number }): Promise<TokenEndpoint>;
  /** Withdraws open requests, closes the endpoint and waits for the store. */
  close(): Promise<void>;
}

/** What an emulator is made of. */
export interface EmulatorOptions {
  readonly fixture: Fixture;
  readonly store?: unknown;
  readonly clock?: Clock;
  readonly consent?: {
    /** Default `ask`. */
    readonly policy?: ConsentPolicy;
    /** How long a request waits for a person; default 120 000 ms. */
    readonly timeoutMs?: number;
    /** New prompts in a minute per process and per application; default 3. */
    readonly promptsPerMinute?: number;
  };
  readonly log?: Log;
}
