import { localTime } from '../../base/text.ts';
import type { Reason, Standing } from '../../presence/standing.ts';

/** Why a presence is shown, hidden or waiting, in one line for the user. `nameOf` names the app of a session. */
export function reasonText(standing: Standing, nameOf: (session: string) => string): string {
  switch (standing.kind) {
    case 'none':
      return 'it shows nothing';
    case 'waiting': {
      const name = nameOf(standing.waitsFor);
      if (standing.reason.kind === 'connected') return 'the game shows its own presence';
      return standing.reason.kind === 'one'
        ? `only one presence is shown, and ${name} comes first`
        : `it gives way to ${name}: ${placesText(standing.reason)}`;
    }
    default:
      return whyText(standing.reason);
  }
}

function whyText(reason: Reason): string {
  switch (reason.kind) {
    case 'no-rule':
      return 'no rule matches';
    case 'otherwise':
      return 'no rule matches, and presence_default is "hide"';
    case 'rules':
    case 'one':
    case 'connected':
      return placesText(reason);
    case 'unknown':
      return `${reason.rule.place} may hide it, but the application or its program has no known name yet; decide with: footbridge presence show|hide ID`;
    case 'paused':
      return reason.until === null
        ? 'paused until: footbridge presence resume'
        : `paused until ${localTime(reason.until)}`;
    case 'away':
      return 'you are away (presence_away)';
    case 'ended':
      return 'its process has ended';
  }
}

function placesText(reason: Reason): string {
  return placesOf(reason).join(', ');
}

/** Files and lines of the rules that decide. */
export function placesOf(reason: Reason): readonly string[] {
  if (reason.kind === 'rules') return reason.rules.map(({ place }) => place);
  return reason.kind === 'unknown' ? [reason.rule.place] : [];
}
