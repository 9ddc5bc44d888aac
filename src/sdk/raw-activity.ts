import { Activity } from './activity.ts';
import { ActivityAssets, ActivityButton, ActivityParty, ActivityTimestamps } from './activity-parts.ts';
import { ActivityGamePlatforms, ActivityPartyPrivacy, ActivityTypes, StatusDisplayTypes } from './enums.ts';
import { idOf, member, numberOf, oneIn, type Raw, text } from './raw.ts';

/** An activity from the service or the chat client. Invalid fields are treated as missing. */
export function activityOf(raw: Raw): Activity {
  const activity = new Activity();
  activity.SetName(optionalString(raw['name']));
  activity.SetType(oneIn(ActivityTypes, raw['type']));
  activity.SetState(optionalString(raw['state']));
  activity.SetStateUrl(optionalString(raw['state_url']));
  activity.SetDetails(optionalString(raw['details']));
  activity.SetDetailsUrl(optionalString(raw['details_url']));
  activity.SetApplicationId(idOf(raw['application_id']) || undefined);
  activity.SetParentApplicationId(idOf(raw['parent_application_id']) || undefined);
  activity.SetStatusDisplayType(oneIn(StatusDisplayTypes, raw['status_display_type']));
  activity.SetSupportedPlatforms(platforms(raw['supported_platforms']));
  activity.SetAssets(assets(raw['assets']));
  activity.SetTimestamps(timestamps(raw['timestamps']));
  activity.SetParty(party(raw['party']));
  for (const one of Array.isArray(raw['buttons']) ? raw['buttons'] : []) activity.AddButton(button(one));
  return activity;
}

function assets(raw: unknown): ActivityAssets | undefined {
  if (!isObject(raw)) return undefined;
  const made = new ActivityAssets();
  made.SetLargeImage(optionalString(raw['large_image']));
  made.SetLargeText(optionalString(raw['large_text']));
  made.SetLargeUrl(optionalString(raw['large_url']));
  made.SetSmallImage(optionalString(raw['small_image']));
  made.SetSmallText(optionalString(raw['small_text']));
  made.SetSmallUrl(optionalString(raw['small_url']));
  made.SetInviteCoverImage(optionalString(raw['invite_cover_image']));
  return made;
}

function timestamps(raw: unknown): ActivityTimestamps | undefined {
  if (!isObject(raw)) return undefined;
  const made = new ActivityTimestamps();
  made.SetStart(moment(raw['start']));
  made.SetEnd(moment(raw['end']));
  return made;
}

function party(raw: unknown): ActivityParty | undefined {
  if (!isObject(raw)) return undefined;
  const made = new ActivityParty();
  made.SetId(text(raw['id']));
  const [current, max] = Array.isArray(raw['size']) ? (raw['size'] as unknown[]) : [];
  made.SetCurrentSize(count(current));
  made.SetMaxSize(count(max));
  made.SetPrivacy(oneIn(ActivityPartyPrivacy, raw['privacy']));
  return made;
}

/** Returns a button. Most buttons have only a label, because only a user who presses a button receives its URL. */
function button(raw: unknown): ActivityButton {
  const made = new ActivityButton();
  made.SetLabel(text(raw) || text(member(raw, 'label')));
  made.SetUrl(text(member(raw, 'url')));
  return made;
}

function platforms(raw: unknown): number {
  const names: readonly unknown[] = Array.isArray(raw) ? raw : [];
  return Object.entries(ActivityGamePlatforms)
    .filter(([name]) => names.includes(name.toLowerCase()))
    .reduce((bits, [, bit]) => bits | bit, 0);
}

function optionalString(value: unknown): string | undefined {
  return text(value) || undefined;
}

function moment(value: unknown): bigint {
  return BigInt(count(value));
}

function count(value: unknown): number {
  const number = Math.floor(numberOf(value));
  return Number.isSafeInteger(number) && number > 0 ? number : 0;
}

function isObject(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null;
}
