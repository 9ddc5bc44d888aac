import type { ActivityInput } from '../client/index.ts';
import { ActivityPartyPrivacy } from './enums.ts';

const FLAG_JOIN = 1 << 1;
const FLAG_PARTY_PRIVACY_FRIENDS = 1 << 6;

/**
 * Converts an activity to the service's format as a chat client does: the labels and URLs of buttons go into separate
 * fields, the party's privacy into flags.
 */
export function gatewayActivity(applicationId: bigint, activity: ActivityInput): object {
  const { buttons, party, timestamps, ...rest } = activity;
  const flags =
    (rest.secrets?.join ? FLAG_JOIN : 0) |
    (party?.privacy === ActivityPartyPrivacy.Public ? FLAG_PARTY_PRIVACY_FRIENDS : 0);
  const { privacy: _privacy, ...publicParty } = party ?? {};
  return {
    name: '',
    type: 0,
    ...rest,
    application_id: String(applicationId),
    ...(timestamps === undefined ? {} : { timestamps }),
    ...(party === undefined ? {} : { party: publicParty }),
    ...(flags === 0 ? {} : { flags }),
    ...(buttons === undefined
      ? {}
      : {
          buttons: buttons.map(({ label }) => label),
          metadata: { button_urls: buttons.map(({ url }) => url) },
        }),
  };
}
