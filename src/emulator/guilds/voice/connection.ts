import type { Signal, VoiceConnectionState, VoiceConnectionStatus } from '../../api/signals.ts';
import type { Derivation, World } from '../../api/world.ts';
import type { Clock } from '../../kernel/clock.ts';
import { ownChannelChange } from './own-channel.ts';

/** A change of a call. */
export type VoiceIncident = 'joined' | 'left' | 'dropped' | 'restored';

/** Changes of the logged-in user's call that affect the voice connection. */
export const callIncidents: Derivation<VoiceIncident> = {
  tables: ['me', 'voice_states', 'client'],
  *derive(commit, tables) {
    const moved = ownChannelChange(commit, tables);
    if (moved !== undefined) yield moved.channel === null ? 'left' : 'joined';
    const [changed] = commit.of('client').updated;
    if (changed === undefined || changed.before.network === changed.after.network) return;
    if (tables.voice_states.has(tables.me.value)) {
      yield changed.after.network === 'down' ? 'dropped' : 'restored';
    }
  },
};

const HOSTNAME = 'voice.example.test';
const PING_MS = 20;
const CONNECTED: readonly VoiceConnectionState[] = ['voice-connecting', 'voice-connected'];

/** Whether a release of the voice library keeps a call during a network interruption, as releases from 1.6 on do. */
export function reconnects(release: string): boolean {
  const [major = 0, minor = 0] = release.split('.').map(Number);
  return major > 1 || (major === 1 && minor >= 6);
}

/**
 * The states that a connection goes through after an incident. With a release that reconnects, the connection waits for
 * an endpoint until the network is back. With an earlier release it is disconnected, and stays so until the user joins
 * the call again.
 */
export function stepConnection(
  state: VoiceConnectionState,
  incident: VoiceIncident,
  { network, release }: { readonly network: 'up' | 'down'; readonly release: string },
): readonly VoiceConnectionState[] {
  switch (incident) {
    case 'joined':
      if (network === 'up') return ['awaiting-endpoint', 'connecting', 'authenticating', ...CONNECTED];
      return reconnects(release) ? ['awaiting-endpoint'] : ['awaiting-endpoint', 'disconnected'];
    case 'left':
      return state === 'disconnected' ? [] : ['disconnected'];
    case 'dropped':
      if (state === 'disconnected') return [];
      return reconnects(release) ? ['voice-connecting', 'awaiting-endpoint'] : ['disconnected'];
    case 'restored':
      return state === 'awaiting-endpoint' ? ['connecting', 'authenticating', ...CONNECTED] : [];
  }
}

/** Follows the call of the logged-in user, and emits every state of its connection. */
export class VoiceConnection {
  readonly #world: World;
  readonly #clock: Clock;
  #status: VoiceConnectionStatus = { state: 'disconnected', hostname: null, pings: [] };

  constructor(world: World, clock: Clock) {
    this.#world = world;
    this.#clock = clock;
    if (this.#calls()) this.#happen('joined', () => {});
  }

  get status(): VoiceConnectionStatus {
    return this.#status;
  }

  /** Handles an incident of {@link callIncidents}. The caller must pass every incident. */
  follow(incident: VoiceIncident): void {
    this.#happen(incident);
  }

  /** Sets the state of the connection that the user's present call implies. */
  recover(): void {
    if (!this.#calls()) this.#happen('left');
    else if (this.#status.state === 'disconnected') this.#happen('joined');
  }

  /** Rejoins a lost call. A connected call is unchanged. */
  rejoin(): void {
    if (this.#status.state === 'disconnected') this.#happen('joined');
  }

  /** Whether the logged-in user is in a call. */
  #calls(): boolean {
    const { voice_states, me } = this.#world.tables;
    return voice_states.has(me.value);
  }

  #happen(incident: VoiceIncident, emit = (signal: Signal) => this.#world.signal(signal)): void {
    const { network, sdk_release: release } = this.#world.tables.client.value;
    for (const state of stepConnection(this.#status.state, incident, { network, release })) {
      this.#status = this.#reached(state);
      emit({ type: 'voice-connection-updated', connection: this.#status });
    }
  }

  #reached(state: VoiceConnectionState): VoiceConnectionStatus {
    if (state === 'disconnected' || state === 'awaiting-endpoint')
      return { state, hostname: null, pings: [] };
    const pings = state === 'voice-connected' ? [{ time: this.#clock.now(), value: PING_MS }] : [];
    return { state, hostname: HOSTNAME, pings };
  }
}
