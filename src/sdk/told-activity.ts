import { Activity } from './activity.ts';
import { ActivityAssets, ActivityButton, ActivityParty, ActivityTimestamps } from './activity-parts.ts';
import { ActivityGamePlatforms, ActivityPartyPrivacy, ActivityTypes, StatusDisplayTypes } from './enums.ts';
import { idOf, member, numberOf, oneIn, text } from './raw.ts';
import type { Raw } from './service.ts';

/** An activity from the service or the chat client. Invalid fields are treated as missing. */
export function activityOf(told: Raw): Activity {
  const activity = new Activity();
  activity.SetName(said(told['name']));
  activity.SetType(oneIn(ActivityTypes, told['type']));
  activity.SetState(said(told['state']));
  activity.SetStateUrl(said(told['state_url']));
  activity.SetDetails(said(told['details']));
  activity.SetDetailsUrl(said(told['details_url']));
  activity.SetApplicationId(idOf(told['application_id']) || undefined);
  activity.SetParentApplicationId(idOf(told['parent_application_id']) || undefined);
  activity.SetStatusDisplayType(oneIn(StatusDisplayTypes, told['status_display_type']));
  activity.SetSupportedPlatforms(platforms(told['supported_platforms']));
  activity.SetAssets(assets(told['assets']));
  activity.SetTimestamps(timestamps(told['timestamps']));
  activity.SetParty(party(told['party']));
  for (const one of Array.isArray(told['buttons']) ? told['buttons'] : []) activity.AddButton(button(one));
  return activity;
}

function assets(told: unknown): ActivityAssets | undefined {
  if (!isObject(told)) return undefined;
  const made = new ActivityAssets();
  made.SetLargeImage(said(told['large_image']));
  made.SetLargeText(said(told['large_text']));
  made.SetLargeUrl(said(told['large_url']));
  made.SetSmallImage(said(told['small_image']));
  made.SetSmallText(said(told['small_text']));
  made.SetSmallUrl(said(told['small_url']));
  made.SetInviteCoverImage(said(told['invite_cover_image']));
  return made;
}

function timestamps(told: unknown): ActivityTimestamps | undefined {
  if (!isObject(told)) return undefined;
  const made = new ActivityTimestamps();
  made.SetStart(moment(told['start']));
  made.SetEnd(moment(told['end']));
  return made;
}

function party(told: unknown): ActivityParty | undefined {
  if (!isObject(told)) return undefined;
  const made = new ActivityParty();
  made.SetId(text(told['id']));
  const [current, most] = Array.isArray(told['size']) ? (told['size'] as unknown[]) : [];
  made.SetCurrentSize(count(current));
  made.SetMaxSize(count(most));
  made.SetPrivacy(oneIn(ActivityPartyPrivacy, told['privacy']));
  return made;
}

/** Only a user who presses a button receives its URL: most buttons have a label only. */
function button(told: unknown): ActivityButton {
  const made = new ActivityButton();
  made.SetLabel(text(told) || text(member(told, 'label')));
  made.SetUrl(text(member(told, 'url')));
  return made;
}

function platforms(told: unknown): number {
  const names: readonly unknown[] = Array.isArray(told) ? told : [];
  return Object.entries(ActivityGamePlatforms)
    .filter(([name]) => names.includes(name.toLowerCase()))
    .reduce((bits, [, bit]) => bits | bit, 0);
}

function said(value: unknown): string | undefined {
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
