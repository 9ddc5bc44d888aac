import { ActivityPartyPrivacy } from './enums.ts';
import { bounded, choice, number64, objectOf, text, unsetText } from './fields.ts';
import { nullObject } from './object.ts';

/** Images of an activity, with their links. */
export class ActivityAssets extends objectOf({
  /** An asset's key or id, or a URL. */
  LargeImage: unsetText,
  LargeText: unsetText,
  /** Link of the large image. */
  LargeUrl: unsetText,
  /** An asset's key or id, or a URL. */
  SmallImage: unsetText,
  SmallText: unsetText,
  /** Link of the small image. */
  SmallUrl: unsetText,
  /**
   * Banner of game invites: a URL or the key of an asset. When it is unset, the service shows the application's cover
   * image.
   */
  InviteCoverImage: unsetText,
}) {
  static readonly nullobj = nullObject('ActivityAssets', new ActivityAssets(), new ActivityAssets());
}

/** Start and end of an activity. */
export class ActivityTimestamps extends objectOf({
  /** Start of the activity in milliseconds since the Unix epoch; 0n means unset. */
  Start: number64,
  /** End of the activity in milliseconds since the Unix epoch; 0n means unset. */
  End: number64,
}) {
  static readonly nullobj = nullObject(
    'ActivityTimestamps',
    new ActivityTimestamps(),
    new ActivityTimestamps(),
  );
}

const count = bounded(Number.MAX_SAFE_INTEGER, 'a whole number from 0');

/** The party of an activity: players who play together. */
export class ActivityParty extends objectOf({
  Id: text,
  CurrentSize: count,
  MaxSize: count,
  Privacy: choice<ActivityPartyPrivacy>(ActivityPartyPrivacy, ActivityPartyPrivacy.Private),
}) {
  static readonly nullobj = nullObject('ActivityParty', new ActivityParty(), new ActivityParty());
}

/** Secret that lets other players join. */
export class ActivitySecrets extends objectOf({
  /**
   * `UpdateRichPresence` rejects a secret that equals the party's id, because everyone can see that id. It also rejects
   * a secret together with buttons.
   */
  Join: text,
}) {
  static readonly nullobj = nullObject('ActivitySecrets', new ActivitySecrets(), new ActivitySecrets());

  protected override get secrets(): readonly string[] {
    return ['join'];
  }
}

/** A button below an activity. */
export class ActivityButton extends objectOf({ Label: text, Url: text }) {
  static readonly nullobj = nullObject('ActivityButton', new ActivityButton(), new ActivityButton());
}
