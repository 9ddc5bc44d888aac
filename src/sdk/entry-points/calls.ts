import type { Call } from '../call.ts';
import { idText } from '../checks.ts';
import { flag, type Id, uint64 } from '../values.ts';
import { callbackValues, method, request } from './row.ts';

/** Called once a call is over. */
export type EndCallCallback = () => void;

const ENDED = callbackValues({}, (call: EndCallCallback) => call());

/** The calls of lobbies. No sound is carried: they are what the service says of them. */
export const CALLS = {
  /**
   * Begins the call of a lobby, or comes into it; its status tells how far it is. Undefined where this game is in it already, the
   * player is not in the lobby, or has no session; a log line says which. The service keeps a player in one call: another one ends.
   * One that the player is in by another device, or by this game before it was killed, is gone on with here.
   */
  StartCall: method(({ player }, channelId: Id): Call | undefined =>
    player.calls.start(uint64('channelId', channelId)),
  ),

  /** Leaves the call of a lobby, if the player is in it. The callback is called once it is over. */
  EndCall: request(ENDED, async ({ player }, channelId: Id) => {
    await player.calls.leave(BigInt(idText('channelId', channelId)));
    return {};
  }),

  /** Leaves all calls. The callback is called once they are over. */
  EndCalls: request(ENDED, async ({ player }) => {
    await player.calls.leaveAll();
    return {};
  }),

  /** The calls that the player is in. */
  GetCalls: method(({ player }): Call[] => player.calls.list()),

  /** The call of a lobby, if the player is in it. */
  GetCall: method(({ player }, channelId: Id): Call | undefined =>
    player.calls.get(uint64('channelId', channelId)),
  ),

  /** Whether the player is muted in all calls. */
  GetSelfMuteAll: method(({ player }): boolean => player.calls.all.mute),

  /** Mutes the player in all calls, those to come as well, whatever is set for each. Throws TypeError for what is no boolean. */
  SetSelfMuteAll: method(({ player }, mute: boolean): void =>
    player.calls.setAll({ mute: flag('mute', mute) }),
  ),

  /** Whether the player hears nobody in any call. */
  GetSelfDeafAll: method(({ player }): boolean => player.calls.all.deaf),

  /** The same of what the player hears. Throws TypeError for what is no boolean. */
  SetSelfDeafAll: method(({ player }, deaf: boolean): void =>
    player.calls.setAll({ deaf: flag('deaf', deaf) }),
  ),
};
