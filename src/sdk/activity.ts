import {
  ActivityAssets,
  ActivityButton,
  ActivityParty,
  ActivitySecrets,
  ActivityTimestamps,
} from './activity-parts.ts';
import { ActivityTypes, StatusDisplayTypes } from './enums.ts';
import { bounded, choice, instanceOf, objectOf, part, unsetChoice, unsetId, unsetText } from './fields.ts';
import { nullObject } from './object.ts';

const fields = {
  /** Name displayed for the application; by default the application's own name. */
  Name: unsetText,
  Type: choice<ActivityTypes>(ActivityTypes, ActivityTypes.Playing),
  State: unsetText,
  /** Link of the state text. */
  StateUrl: unsetText,
  Details: unsetText,
  /** Link of the details text. */
  DetailsUrl: unsetText,
  /** Application of the game. A displayed activity always has the client's own application, whatever value is set. */
  ApplicationId: unsetId,
  /** Application that all games of one publisher share, when the service sends it. The client never sends it. */
  ParentApplicationId: unsetId,
  StatusDisplayType: unsetChoice<StatusDisplayTypes>(StatusDisplayTypes),
  /** Bits of ActivityGamePlatforms; 0 means unset. */
  SupportedPlatforms: bounded(255, 'bits of ActivityGamePlatforms, 0 to 255'),
  Assets: part(ActivityAssets),
  Timestamps: part(ActivityTimestamps),
  Party: part(ActivityParty),
  Secrets: part(ActivitySecrets),
};

/**
 * Rich presence. A setter called with undefined unsets its field. Getters return copies of objects, and setters store
 * copies.
 */
export class Activity extends objectOf(fields, { buttons: [] as ActivityButton[] }) {
  static readonly nullobj = nullObject('Activity', new Activity(), new Activity());

  GetButtons(): ActivityButton[] {
    return this.read('buttons');
  }

  /** Whether all fields of both are equal. Throws TypeError for a value that is not an Activity. */
  Equals(other: Activity): boolean {
    return this.same(other);
  }

  /** Adds a button. A chat client displays at most two. */
  AddButton(button: ActivityButton): void {
    const added = instanceOf('Button', button, ActivityButton);
    if (added) this.write('buttons', [...this.read('buttons'), added]);
  }
}
