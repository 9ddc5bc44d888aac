import type { ActivityInput } from '../client/index.ts';
import type { Activity } from './activity.ts';
import { ActivityGamePlatforms, ActivityTypes } from './enums.ts';
import { ValidationError } from './result.ts';

/**
 * Converts an activity to the format of SET_ACTIVITY, without unset fields. For an activity without InviteCoverImage
 * the service uses the application's cover image; without Name, the application's name. Application ids are omitted,
 * because the service sets them. Throws ValidationError for values that a chat client never accepts.
 */
export function toWire(activity: Activity): ActivityInput {
  if (!activity.IsValid()) throw new ValidationError('Activity: is null');
  const type = activity.Type();
  const { Streaming, CustomStatus, HangStatus } = ActivityTypes;
  if (type === Streaming || type === CustomStatus || type === HangStatus) {
    throw new ValidationError(
      'Activity.Type: a chat client takes Playing, Listening, Watching and Competing only',
    );
  }
  const buttons = activity.GetButtons().map((button) => ({ label: button.Label(), url: button.Url() }));
  return defined({
    name: activity.Name(),
    type,
    state: activity.State(),
    state_url: activity.StateUrl(),
    details: activity.Details(),
    details_url: activity.DetailsUrl(),
    status_display_type: activity.StatusDisplayType(),
    supported_platforms: platforms(activity.SupportedPlatforms()),
    assets: assets(activity),
    timestamps: timestamps(activity),
    party: party(activity),
    secrets: secrets(activity),
    buttons: buttons.length > 0 ? buttons : undefined,
  });
}

function assets(activity: Activity): ActivityInput['assets'] {
  const held = activity.Assets();
  return held?.IsValid()
    ? defined({
        large_image: held.LargeImage(),
        large_text: held.LargeText(),
        large_url: held.LargeUrl(),
        small_image: held.SmallImage(),
        small_text: held.SmallText(),
        small_url: held.SmallUrl(),
        invite_cover_image: held.InviteCoverImage(),
      })
    : undefined;
}

function timestamps(activity: Activity): ActivityInput['timestamps'] {
  const held = activity.Timestamps();
  return held?.IsValid() ? defined({ start: moment(held.Start()), end: moment(held.End()) }) : undefined;
}

function moment(milliseconds: bigint): number | undefined {
  return milliseconds === 0n ? undefined : Number(milliseconds);
}

function party(activity: Activity): ActivityInput['party'] {
  const held = activity.Party();
  if (!held?.IsValid()) return undefined;
  const sized = held.MaxSize() > 0;
  return defined({
    id: held.Id() || undefined,
    size: sized ? ([held.CurrentSize(), held.MaxSize()] as const) : undefined,
    privacy: held.Privacy(),
  });
}

function secrets(activity: Activity): ActivityInput['secrets'] {
  const held = activity.Secrets();
  return held?.IsValid() && held.Join() !== '' ? { join: held.Join() } : undefined;
}

function platforms(bits: number): string[] | undefined {
  const named = Object.entries(ActivityGamePlatforms).filter(([, bit]) => (bits & bit) !== 0);
  return named.length > 0 ? named.map(([name]) => name.toLowerCase()) : undefined;
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function defined<T extends object>(members: T): Defined<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>;
}
