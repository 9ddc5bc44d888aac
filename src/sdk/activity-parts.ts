import { ActivityPartyPrivacy } from './enums.ts';
import { nullObject, SdkObject } from './object.ts';
import { optionalEnum, optionalText, uint64 } from './values.ts';

interface AssetFields {
  largeImage: string | undefined;
  largeText: string | undefined;
  largeUrl: string | undefined;
  smallImage: string | undefined;
  smallText: string | undefined;
  smallUrl: string | undefined;
  inviteCoverImage: string | undefined;
}

/** Images of an activity, with their links. */
export class ActivityAssets extends SdkObject<AssetFields> {
  static readonly nullobj = nullObject('ActivityAssets', new ActivityAssets(), new ActivityAssets());

  constructor(other?: ActivityAssets) {
    super(other, {
      largeImage: undefined,
      largeText: undefined,
      largeUrl: undefined,
      smallImage: undefined,
      smallText: undefined,
      smallUrl: undefined,
      inviteCoverImage: undefined,
    });
  }

  /** An asset's key or id, or a URL. */
  LargeImage(): string | undefined {
    return this.read('largeImage');
  }

  SetLargeImage(value: string | undefined): void {
    this.write('largeImage', optionalText('LargeImage', value));
  }

  LargeText(): string | undefined {
    return this.read('largeText');
  }

  SetLargeText(value: string | undefined): void {
    this.write('largeText', optionalText('LargeText', value));
  }

  /** Link of the large image. */
  LargeUrl(): string | undefined {
    return this.read('largeUrl');
  }

  SetLargeUrl(value: string | undefined): void {
    this.write('largeUrl', optionalText('LargeUrl', value));
  }

  /** An asset's key or id, or a URL. */
  SmallImage(): string | undefined {
    return this.read('smallImage');
  }

  SetSmallImage(value: string | undefined): void {
    this.write('smallImage', optionalText('SmallImage', value));
  }

  SmallText(): string | undefined {
    return this.read('smallText');
  }

  SetSmallText(value: string | undefined): void {
    this.write('smallText', optionalText('SmallText', value));
  }

  /** Link of the small image. */
  SmallUrl(): string | undefined {
    return this.read('smallUrl');
  }

  SetSmallUrl(value: string | undefined): void {
    this.write('smallUrl', optionalText('SmallUrl', value));
  }

  /**
   * Banner of game invites: a URL or the key of an asset. When it is unset, the service shows the application's cover
   * image.
   */
  InviteCoverImage(): string | undefined {
    return this.read('inviteCoverImage');
  }

  SetInviteCoverImage(value: string | undefined): void {
    this.write('inviteCoverImage', optionalText('InviteCoverImage', value));
  }
}

/** Start and end of an activity. */
export class ActivityTimestamps extends SdkObject<{ start: bigint; end: bigint }> {
  static readonly nullobj = nullObject(
    'ActivityTimestamps',
    new ActivityTimestamps(),
    new ActivityTimestamps(),
  );

  constructor(other?: ActivityTimestamps) {
    super(other, { start: 0n, end: 0n });
  }

  /** Start of the activity in milliseconds since the Unix epoch; 0n means unset. */
  Start(): bigint {
    return this.read('start');
  }

  SetStart(value: bigint | string | undefined): void {
    this.write('start', value === undefined ? 0n : uint64('Start', value));
  }

  /** End of the activity in milliseconds since the Unix epoch; 0n means unset. */
  End(): bigint {
    return this.read('end');
  }

  SetEnd(value: bigint | string | undefined): void {
    this.write('end', value === undefined ? 0n : uint64('End', value));
  }
}

/** The party of an activity: players who play together. */
export class ActivityParty extends SdkObject<{
  id: string;
  currentSize: number;
  maxSize: number;
  privacy: ActivityPartyPrivacy;
}> {
  static readonly nullobj = nullObject('ActivityParty', new ActivityParty(), new ActivityParty());

  constructor(other?: ActivityParty) {
    super(other, { id: '', currentSize: 0, maxSize: 0, privacy: ActivityPartyPrivacy.Private });
  }

  Id(): string {
    return this.read('id');
  }

  SetId(value: string | undefined): void {
    this.write('id', optionalText('Id', value) ?? '');
  }

  CurrentSize(): number {
    return this.read('currentSize');
  }

  SetCurrentSize(value: number | undefined): void {
    this.write('currentSize', count('CurrentSize', value));
  }

  MaxSize(): number {
    return this.read('maxSize');
  }

  SetMaxSize(value: number | undefined): void {
    this.write('maxSize', count('MaxSize', value));
  }

  Privacy(): ActivityPartyPrivacy {
    return this.read('privacy');
  }

  SetPrivacy(value: ActivityPartyPrivacy | undefined): void {
    const privacy = optionalEnum('Privacy', value, ActivityPartyPrivacy);
    this.write('privacy', privacy ?? ActivityPartyPrivacy.Private);
  }
}

/** Secret that lets other players join. */
export class ActivitySecrets extends SdkObject<{ join: string }> {
  static readonly nullobj = nullObject('ActivitySecrets', new ActivitySecrets(), new ActivitySecrets());

  constructor(other?: ActivitySecrets) {
    super(other, { join: '' });
  }

  protected override get secrets(): readonly string[] {
    return ['join'];
  }

  Join(): string {
    return this.read('join');
  }

  /**
   * `UpdateRichPresence` rejects a secret that equals the party's id, because everyone can see that id. It also rejects
   * a secret together with buttons.
   */
  SetJoin(value: string | undefined): void {
    this.write('join', optionalText('Join', value) ?? '');
  }
}

/** A button below an activity. */
export class ActivityButton extends SdkObject<{ label: string; url: string }> {
  static readonly nullobj = nullObject('ActivityButton', new ActivityButton(), new ActivityButton());

  constructor(other?: ActivityButton) {
    super(other, { label: '', url: '' });
  }

  Label(): string {
    return this.read('label');
  }

  SetLabel(value: string | undefined): void {
    this.write('label', optionalText('Label', value) ?? '');
  }

  Url(): string {
    return this.read('url');
  }

  SetUrl(value: string | undefined): void {
    this.write('url', optionalText('Url', value) ?? '');
  }
}

function count(field: string, value: number | undefined): number {
  if (value === undefined) return 0;
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new RangeError(`${field}: must be a whole number from 0`);
}
