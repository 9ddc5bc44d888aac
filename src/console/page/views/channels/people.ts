import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Operations } from '../../../../control/generated.ts';
import { call } from '../../data/api.ts';
import { mediaAddress } from '../../data/media.ts';
import { Problem, usePolled } from '../../parts/controls.ts';
import { spanText } from '../../parts/time.ts';
import type { ListedUser } from './types.ts';

type Profile = Operations['user.view']['result'];

const STATUS = { online: 'online', idle: 'idle', dnd: 'do not disturb', offline: 'offline' } as const;
/** Order of the list. */
const RANK = ['online', 'idle', 'dnd', 'offline'];
/** Poll interval of an opened profile (ms). */
const POLL_MS = 2000;

/** Users by their status; one that is opened shows its profile. */
export function People({
  users,
  guild,
}: {
  readonly users: readonly ListedUser[];
  readonly guild: string | undefined;
}): VNode {
  const [open, setOpen] = useState<string | undefined>(undefined);
  const sorted = users.toSorted((a, b) => RANK.indexOf(a.status) - RANK.indexOf(b.status));
  return html`<section class="people" aria-labelledby="people-title"><h2 id="people-title">People</h2>
    <ul>${sorted.map(
      ({ id, username, global_name, bot, status }) => html`<li key=${id}>
        <button type="button" class="person" aria-expanded=${open === id} onClick=${() => setOpen(open === id ? undefined : id)}>
          <span class=${`status ${status}`} aria-hidden="true"></span><bdi>${global_name ?? username}</bdi>${bot ? html` <span class="label">bot</span>` : null}<span class="note">${STATUS[status]}</span></button>
        ${open === id ? html`<${ProfileCard} user=${id} guild=${guild} />` : null}</li>`,
    )}</ul>
  </section>` as VNode;
}

function ProfileCard({ user, guild }: { readonly user: string; readonly guild: string | undefined }): VNode {
  const { value: profile, problem } = usePolled(
    () => call('user.view', { user, ...(guild === undefined ? {} : { guild }) }),
    POLL_MS,
  );
  if (profile === undefined) return html`<${Problem} text=${problem} />` as VNode;
  const { username, global_name, nick, roles, activities, voice, avatar } = profile;
  return html`<div class="profile card">
    <p class="profile-name"><img class="avatar" src=${mediaAddress(avatar)} alt="" /> <strong><bdi>${nick ?? global_name ?? username}</bdi></strong> <span class="id">${username}</span></p>
    ${voice === null ? null : html`<p class="note">in ${voice.name}</p>`}
    ${roles.length === 0 ? null : html`<p class="roles">${roles.map((role) => html`<span key=${role.id} class="label"><bdi>${role.name}</bdi></span>`)}</p>`}
    ${activities.map((activity, index) => html`<${ActivityCard} key=${index} activity=${activity} />`)}
  </div>` as VNode;
}

const VERBS: Readonly<Record<number, string>> = {
  0: 'Playing',
  1: 'Streaming',
  2: 'Listening to',
  3: 'Watching',
  4: 'Says',
  5: 'Competing in',
};

/** An activity as a profile shows it; of its pictures only the texts, because nothing is loaded from elsewhere. */
function ActivityCard({ activity }: { readonly activity: Profile['activities'][number] }): VNode {
  const text = (name: string): string => (typeof activity[name] === 'string' ? activity[name] : '');
  const timestamps = activity['timestamps'] as { readonly start?: number; readonly end?: number } | undefined;
  const assets = activity['assets'] as
    | { readonly large_text?: string; readonly small_text?: string }
    | undefined;
  const party = activity['party'] as { readonly size?: readonly number[] } | undefined;
  const buttons = Array.isArray(activity['buttons']) ? (activity['buttons'] as readonly unknown[]) : [];
  const lines = [
    text('details'),
    [text('state'), party?.size === undefined ? '' : `(${party.size[0]} of ${party.size[1]})`]
      .join(' ')
      .trim(),
    assets?.large_text ?? '',
    assets?.small_text ?? '',
  ].filter((line) => line !== '');
  return html`<div class="activity-card"><p class="note">${VERBS[activity.type] ?? 'Doing'}</p>
    <p><strong><bdi>${activity.name}</bdi></strong></p>${lines.map((line) => html`<p key=${line}><bdi>${line}</bdi></p>`)}
    ${timestamps?.start === undefined ? null : html`<p class="note">for ${spanText(Date.now() - timestamps.start)}</p>`}
    ${buttons.length === 0 ? null : html`<p>${buttons.map((one) => html`<span class="label"><bdi>${labelOf(one)}</bdi></span>`)}</p>`}</div>` as VNode;
}

/** A button of an activity is its label, or an object with it. */
function labelOf(button: unknown): string {
  const label = typeof button === 'string' ? button : (button as { readonly label?: unknown } | null)?.label;
  return typeof label === 'string' ? label : '';
}
