import { isLocalError, LocalError } from '../../base/local-error.ts';
import { ClientError, RpcError } from '../../client/errors.ts';
import { ApiError } from '../../client/http.ts';
import { ErrorCode } from '../../protocol/error-code.ts';
import { CloseCode } from '../../wire/codes.ts';

/** Core of this bridge, and the application that it uses, for messages. */
export interface VoicePlace {
  readonly core: string;
  readonly clientId: string;
}

/** Error of a core whose chat client has no commands for voice. */
export function noVoice({ core }: VoicePlace, why: string): LocalError {
  const end = why.replace(/[.:\s]*$/, '');
  return new LocalError(
    'FOOTBRIDGE_NO_VOICE',
    `The core "${core}" offers no voice here: ${end}. footbridge help presence-and-voice lists what works with which client.`,
  );
}

/** Error while the user has not answered the request for consent. */
export function stillWaiting(): LocalError {
  return new LocalError(
    'FOOTBRIDGE_CONSENT',
    'Footbridge still waits for your consent to use voice. Answer it (footbridge requests, then footbridge approve), then run this again.',
  );
}

/** Converts an error of the bridge's own app into one line with its remedy. An error of another kind is a defect and stays. */
export function asRefusal(error: unknown, place: VoicePlace): unknown {
  if (error instanceof RpcError) return rpcRefusal(error, place);
  if (error instanceof ClientError) return connectRefusal(error, place);
  if (error instanceof ApiError || (error instanceof TypeError && error.cause !== undefined)) {
    return new LocalError(
      'FOOTBRIDGE_REFUSED',
      `The token endpoint gave no token for voice: ${error.message.replace(/\.$/, '')}. Check voice_api and voice_application: footbridge config show.`,
      { cause: error },
    );
  }
  return error;
}

function rpcRefusal(error: RpcError, place: VoicePlace): LocalError {
  const text = error.message.replace(/\.$/, '');
  if (error.code === ErrorCode.SERVICE_UNAVAILABLE) return away(text, error);
  if (error.cmd === 'AUTHORIZE' || error.cmd === 'AUTHENTICATE') {
    if (error.code === ErrorCode.INVALID_COMMAND) return noVoice(place, text);
    const remedy = text.includes('policy')
      ? 'Start the bridge with --consent ask, or allow the application in the fixture.'
      : 'Run the command again to be asked again.';
    return new LocalError('FOOTBRIDGE_CONSENT', `No consent to use voice: ${text}. ${remedy}`, {
      cause: error,
    });
  }
  if (error.code === ErrorCode.INVALID_COMMAND) return noVoice(place, text);
  return new LocalError('FOOTBRIDGE_REFUSED', `The client refused ${error.cmd}: ${text}.`, { cause: error });
}

function connectRefusal(error: ClientError, place: VoicePlace): LocalError {
  if (isLocalError(error) && error.code === 'FOOTBRIDGE_TIMEOUT') return noVoice(place, 'it does not answer');
  const [attempt] = error.attempts ?? [];
  if (attempt?.code === CloseCode.INVALID_CLIENT_ID) {
    return new LocalError(
      'FOOTBRIDGE_VOICE_APPLICATION',
      `The chat client does not know the application ${place.clientId}. Set voice_application to the id of an application of yours ` +
        '(footbridge help presence-and-voice says how).',
      { cause: error },
    );
  }
  return away(attempt?.message ?? error.message, error);
}

function away(why: string, cause: unknown): LocalError {
  const text = `Voice cannot be reached: ${why.replace(/\.$/, '')}. footbridge status shows the core and its chat client.`;
  return new LocalError('FOOTBRIDGE_VOICE_AWAY', text, { cause });
}
