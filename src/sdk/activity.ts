import {
  ActivityAssets,
  ActivityButton,
  ActivityParty,
  ActivitySecrets,
  ActivityTimestamps,
} from './activity-parts.ts';
import { ActivityTypes, StatusDisplayTypes } from './enums.ts';
import { nullObject, SdkObject } from './object.ts';
import { type Id, optionalEnum, optionalText, uint64 } from './values.ts';

interface ActivityFields {
  name: string | undefined;
  type: ActivityTypes;
  state: string | undefined;
  stateUrl: string | undefined;
  details: string | undefined;
  detailsUrl: string | undefined;
  applicationId: bigint | undefined;
  parentApplicationId: bigint | undefined;
  statusDisplayType: StatusDisplayTypes | undefined;
  supportedPlatforms: number;
  assets: ActivityAssets | undefined;
  timestamps: ActivityTimestamps | undefined;
  party: ActivityParty | undefined;
  secrets: ActivitySecrets | undefined;
  buttons: ActivityButton[];
}

/**
 * Rich presence. A setter called with undefined unsets its field. Getters return copies of objects, and setters store
 * copies.
 */
export class Activity extends SdkObject<ActivityFields> {
  static readonly nullobj = nullObject('Activity', new Activity(), new Activity());

  constructor(other?: Activity) {
    super(other, {
      name: undefined,
      type: ActivityTypes.Playing,
      state: undefined,
      stateUrl: undefined,
      details: undefined,
      detailsUrl: undefined,
      applicationId: undefined,
      parentApplicationId: undefined,
      statusDisplayType: undefined,
      supportedPlatforms: 0,
      assets: undefined,
      timestamps: undefined,
      party: undefined,
      secrets: undefined,
      buttons: [],
    });
  }

  /** Name displayed for the application; by default the application's own name. */
  Name(): string | undefined {
    return this.read('name');
  }

  SetName(value: string | undefined): void {
    this.write('name', optionalText('Name', value));
  }

  Type(): ActivityTypes {
    return this.read('type');
  }

  SetType(value: ActivityTypes | undefined): void {
    this.write('type', optionalEnum('Type', value, ActivityTypes) ?? ActivityTypes.Playing);
  }

  State(): string | undefined {
    return this.read('state');
  }

  SetState(value: string | undefined): void {
    this.write('state', optionalText('State', value));
  }

  /** Link of the state text. */
  StateUrl(): string | undefined {
    return this.read('stateUrl');
  }

  SetStateUrl(value: string | undefined): void {
    this.write('stateUrl', optionalText('StateUrl', value));
  }

  Details(): string | undefined {
    return this.read('details');
  }

  SetDetails(value: string | undefined): void {
    this.write('details', optionalText('Details', value));
  }

  /** Link of the details text. */
  DetailsUrl(): string | undefined {
    return this.read('detailsUrl');
  }

  SetDetailsUrl(value: string | undefined): void {
    this.write('detailsUrl', optionalText('DetailsUrl', value));
  }

  /** Application of the game. A displayed activity always has the client's own application, whatever value is set. */
  ApplicationId(): bigint | undefined {
    return this.read('applicationId');
  }

  SetApplicationId(value: Id | undefined): void {
    this.write('applicationId', value === undefined ? undefined : uint64('ApplicationId', value));
  }

  /** Application that all games of one publisher share, when the service sends it. The client never sends it. */
  ParentApplicationId(): bigint | undefined {
    return this.read('parentApplicationId');
  }

  SetParentApplicationId(value: Id | undefined): void {
    this.write('parentApplicationId', value === undefined ? undefined : uint64('ParentApplicationId', value));
  }

  StatusDisplayType(): StatusDisplayTypes | undefined {
    return this.read('statusDisplayType');
  }

  SetStatusDisplayType(value: StatusDisplayTypes | undefined): void {
    this.write('statusDisplayType', optionalEnum('StatusDisplayType', value, StatusDisplayTypes));
  }

  /** Bits of ActivityGamePlatforms; 0 means unset. */
  SupportedPlatforms(): number {
    return this.read('supportedPlatforms');
  }

  SetSupportedPlatforms(value: number | undefined): void {
    const bits = value ?? 0;
    if (!Number.isInteger(bits) || bits < 0 || bits > 255) {
      throw new RangeError('SupportedPlatforms: must be bits of ActivityGamePlatforms, 0 to 255');
    }
    this.write('supportedPlatforms', bits);
  }

  Assets(): ActivityAssets | undefined {
    return this.read('assets');
  }

  SetAssets(value: ActivityAssets | undefined): void {
    this.write('assets', part('Assets', value, ActivityAssets));
  }

  Timestamps(): ActivityTimestamps | undefined {
    return this.read('timestamps');
  }

  SetTimestamps(value: ActivityTimestamps | undefined): void {
    this.write('timestamps', part('Timestamps', value, ActivityTimestamps));
  }

  Party(): ActivityParty | undefined {
    return this.read('party');
  }

  SetParty(value: ActivityParty | undefined): void {
    this.write('party', part('Party', value, ActivityParty));
  }

  Secrets(): ActivitySecrets | undefined {
    return this.read('secrets');
  }

  SetSecrets(value: ActivitySecrets | undefined): void {
    this.write('secrets', part('Secrets', value, ActivitySecrets));
  }

  GetButtons(): ActivityButton[] {
    return this.read('buttons');
  }

  /** Whether all fields of both are equal. Throws TypeError for a value that is not an Activity. */
  Equals(other: Activity): boolean {
    return this.same(other);
  }

  /** Adds a button. A chat client displays at most two. */
  AddButton(button: ActivityButton): void {
    const added = part('Button', button, ActivityButton);
    if (added) this.write('buttons', [...this.read('buttons'), added]);
  }
}

function part<T>(field: string, value: T | undefined, expected: new () => T): T | undefined {
  if (value === undefined || value instanceof expected) return value;
  throw new TypeError(`${field}: must be an ${expected.name}, or undefined to unset it`);
}
