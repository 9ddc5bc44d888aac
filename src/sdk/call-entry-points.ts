import type { Call } from './call.ts';
import type { CallbackOf } from './callbacks.ts';
import { idText } from './checks.ts';
import type { Core } from './core.ts';
import { LobbyEntryPoints } from './lobby-entry-points.ts';
import type { Outcome } from './outcome.ts';
import { flag, type Id, uint64 } from './values.ts';

/** Called once a call is over. */
export type EndCallCallback = () => void;

/** The calls of lobbies. No sound is carried: they are what the service says of them. */
export class CallEntryPoints extends LobbyEntryPoints {
  readonly #core: Core;

  constructor(core: Core) {
    super(core);
    this.#core = core;
  }

  /**
   * Begins the call of a lobby, or comes into it; its status tells how far it is. Undefined where this game is in it already, the
   * player is not in the lobby, or has no session; a log line says which. The service keeps a player in one call: another one ends.
   * One that the player is in by another device, or by this game before it was killed, is gone on with here.
   */
  StartCall(channelId: Id): Call | undefined {
    return this.#core.calls.start(uint64('channelId', channelId));
  }

  /** Leaves the call of a lobby, if the player is in it. The callback is called once it is over. */
  EndCall(channelId: Id, callback?: EndCallCallback): Promise<Outcome> {
    const work = async (): Promise<object> => {
      await this.#core.calls.leave(BigInt(idText('channelId', channelId)));
      return {};
    };
    return this.#core.settle('EndCall', {}, work, callback, (call) => call());
  }

  /** Leaves all calls. The callback is called once they are over. */
  EndCalls(callback?: EndCallCallback): Promise<Outcome> {
    const work = async (): Promise<object> => {
      await this.#core.calls.leaveAll();
      return {};
    };
    return this.#core.settle('EndCalls', {}, work, callback, (call) => call());
  }

  /** The calls that the player is in. */
  GetCalls(): Call[] {
    return this.#core.calls.list();
  }

  /** The call of a lobby, if the player is in it. */
  GetCall(channelId: Id): Call | undefined {
    return this.#core.calls.get(uint64('channelId', channelId));
  }

  /** Whether the player is muted in all calls. */
  GetSelfMuteAll(): boolean {
    return this.#core.calls.all.mute;
  }

  /** Mutes the player in all calls, those to come as well, whatever is set for each. Throws TypeError for what is no boolean. */
  SetSelfMuteAll(mute: boolean): void {
    this.#core.calls.setAll({ mute: flag('mute', mute) });
  }

  /** Whether the player hears nobody in any call. */
  GetSelfDeafAll(): boolean {
    return this.#core.calls.all.deaf;
  }

  /** The same of what the player hears. Throws TypeError for what is no boolean. */
  SetSelfDeafAll(deaf: boolean): void {
    this.#core.calls.setAll({ deaf: flag('deaf', deaf) });
  }

  /** Called when somebody comes into the call of a lobby or leaves it. Undefined ends it. */
  SetVoiceParticipantChangedCallback(
    callback: CallbackOf<'SetVoiceParticipantChangedCallback'> | undefined,
  ): void {
    this.#core.callbacks.set('SetVoiceParticipantChangedCallback', callback);
  }

  /** Called when a call is further or less far, also one that the service began. A name of our own. Undefined ends it. */
  SetCallStatusChangedCallback(callback: CallbackOf<'SetCallStatusChangedCallback'> | undefined): void {
    this.#core.callbacks.set('SetCallStatusChangedCallback', callback);
  }
}
