import type { Call } from '../call.ts';
import { idText } from '../checks.ts';
import { flag, type Id, uint64 } from '../values.ts';
import { callbackValues, method, request } from './row.ts';

/** Called once a call is over. */
export type EndCallCallback = () => void;

const ENDED = callbackValues({}, (call: EndCallCallback) => call());

/** Entry points for the calls of lobbies. Footbridge transmits no sound, only the call state that the service sends. */
export const CALLS = {
  /**
   * Begins or enters the call of a lobby; the call's status reports the progress. Returns undefined when this game is
   * in the call already, when the player is not in the lobby, or when there is no session; a log line has the reason.
   * The service allows a player one call, so a new call ends the previous one. A call on another device, or one that
   * this game began before it was killed, continues here.
   */
  StartCall: method(({ player }, channelId: Id): Call | undefined =>
    player.calls.start(uint64('channelId', channelId)),
  ),

  /** Leaves the call of a lobby if the player is in it. Calls back when the call is over. */
  EndCall: request(ENDED, async ({ player }, channelId: Id) => {
    await player.calls.leave(BigInt(idText('channelId', channelId)));
    return {};
  }),

  /** Leaves all calls. Calls back when all of them are over. */
  EndCalls: request(ENDED, async ({ player }) => {
    await player.calls.leaveAll();
    return {};
  }),

  /** The calls that the player is in. */
  GetCalls: method(({ player }): Call[] => player.calls.list()),

  /** Returns the call of a lobby; undefined when the player is not in it. */
  GetCall: method(({ player }, channelId: Id): Call | undefined =>
    player.calls.get(uint64('channelId', channelId)),
  ),

  /** Whether the player is muted in all calls. */
  GetSelfMuteAll: method(({ player }): boolean => player.calls.all.mute),

  /**
   * Mutes the player in all present and future calls, in addition to each call's own setting. Throws TypeError for a
   * value that is not a boolean.
   */
  SetSelfMuteAll: method(({ player }, mute: boolean): void =>
    player.calls.setAll({ mute: flag('mute', mute) }),
  ),

  /** Whether the player is deafened in all calls. */
  GetSelfDeafAll: method(({ player }): boolean => player.calls.all.deaf),

  /**
   * Deafens the player in all present and future calls, in addition to each call's own setting. Throws TypeError for a
   * value that is not a boolean.
   */
  SetSelfDeafAll: method(({ player }, deaf: boolean): void =>
    player.calls.setAll({ deaf: flag('deaf', deaf) }),
  ),
};
