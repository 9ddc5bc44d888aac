import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { mediaAddress } from '../../data/media.ts';
import { Message, type MessageActions } from '../../message/message.ts';
import { Action } from '../../parts/controls.ts';
import { Icon } from '../../parts/icon.ts';
import { Empty, Loading } from '../../parts/states.ts';
import { actionsFor, type Opened } from './actions.ts';
import { Composer } from './composer.ts';
import { ModalDialog } from './modal-dialog.ts';
import type { ListedChannel, ListedUser } from './types.ts';
import { useView, type View } from './use-view.ts';
import { VoiceRoom } from './voice-room.ts';

/** Time within which a message of the same author continues the one before (ms). */
const CONTINUED_MS = 7 * 60_000;
/** Distance from the end within which the list follows new messages (px). */
const NEAR_END = 80;

interface PaneProps {
  readonly channel: string;
  readonly listed: ListedChannel | undefined;
  readonly user: string;
  readonly people: readonly ListedUser[];
  readonly setUser: (name: string) => void;
  /** Absent for the only pane. */
  readonly close: (() => void) | undefined;
  readonly open: (channel: string) => void;
  /** Requests the list of channels anew. */
  readonly again: () => void;
}

/** A channel as one user sees it, with all that this user can do there. */
export function Pane({ channel, listed, user, people, setUser, close, open, again }: PaneProps): VNode {
  const { view, problem, older } = useView(channel, user);
  const [reply, setReply] = useState<string | undefined>(undefined);
  const [modal, setModal] = useState<Opened | undefined>(undefined);
  const [refusal, setRefusal] = useState<string | undefined>(undefined);
  useEffect(() => {
    setReply(undefined);
    setRefusal(undefined);
  }, [channel, user]);
  const name = view?.channel.name ?? listed?.name ?? '';
  return html`<article class="pane" aria-label=${`${name} as ${user}`}>
    <header class="pane-head">
      <h2>${listed?.voice === undefined ? '' : html`<${Icon} name="voice" />`}${name}</h2>
      <label>As <select value=${user} onChange=${(event: Event) => setUser((event.currentTarget as HTMLSelectElement).value)}>
        ${people.map(({ id, username }) => html`<option key=${id} value=${username} selected=${username === user}>${username}</option>`)}</select></label>
      ${close === undefined ? null : html`<button type="button" aria-label=${`Close the pane of ${user}`} onClick=${close}><${Icon} name="close" /></button>`}
    </header>
    ${view?.channel.topic ? html`<p class="note topic"><bdi>${view.channel.topic}</bdi></p>` : null}
    ${problem === undefined ? null : html`<p class="problem" role="alert">${problem}</p>`}
    ${listed?.voice === undefined ? null : html`<${VoiceRoom} channel=${listed} user=${user} again=${again} />`}
    ${
      view === undefined
        ? problem === undefined
          ? html`<${Loading} />`
          : null
        : html`${listed?.voice !== undefined && view.messages.length === 0 ? html`<div class="messages"></div>` : html`<${MessageList} view=${view} older=${older} actions=${(drawn: Drawn) => actionsFor({ view, user, drawn, reply: setReply, opened: setModal, open, refused: setRefusal })} />`}
      <${Typing} view=${view} />
      ${refusal === undefined ? null : html`<p class="problem" role="alert">${refusal}</p>`}
      ${listed?.voice === undefined ? html`<${Composer} view=${view} user=${user} reply=${reply} setReply=${setReply} opened=${setModal} />` : null}`
    }
    ${modal === undefined || view === undefined ? null : html`<${ModalDialog} key=${modal.id} modal=${modal} view=${view} user=${user} opened=${setModal} />`}
  </article>` as VNode;
}

/** Minutes move on while nothing changes. */
const NOW_MS = 15_000;

function MessageList({
  view,
  older,
  actions,
}: {
  readonly view: View;
  readonly older: () => Promise<unknown>;
  readonly actions: (drawn: Drawn) => MessageActions;
}): VNode {
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), NOW_MS);
    return () => clearInterval(timer);
  }, []);
  const last = view.messages.at(-1);
  const follow = (): void => {
    const list = box.current;
    if (list !== null && isAtEnd.current) list.scrollTop = list.scrollHeight;
  };
  useEffect(follow, [view.revision]);
  // A form below takes room from the list.
  useEffect(() => {
    const observer = new ResizeObserver(follow);
    if (box.current !== null) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  const scrolled = (): void => {
    const list = box.current;
    if (list !== null) isAtEnd.current = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_END;
  };
  return html`<div class="messages" role="log" aria-label="Messages" tabindex="0" ref=${box} onScroll=${scrolled}>
    ${view.more ? html`<p class="older"><${Action} action=${older}>Show older messages<//></p>` : null}
    ${last === undefined ? html`<${Empty} icon="channels" title="Nothing was written here">The first message starts below.<//>` : null}
    ${view.messages.map(
      (
        drawn,
        index,
      ) => html`<${Message} key=${drawn.message.id} drawn=${drawn} names=${view} media=${mediaAddress} now=${now}
      actions=${actions(drawn)} isContinued=${continues(view.messages[index - 1], drawn)} />`,
    )}
  </div>` as VNode;
}

type Drawn = View['messages'][number];

function continues(before: Drawn | undefined, { message }: Drawn): boolean {
  if (before === undefined || message['type'] !== 0 || message['interaction_metadata'] !== undefined)
    return false;
  const author = (one: Drawn['message']): string =>
    (one['author'] as { readonly id: string } | undefined)?.id ?? '';
  const time = (one: Drawn['message']): number => Date.parse(String(one['timestamp']));
  return author(before.message) === author(message) && time(message) - time(before.message) < CONTINUED_MS;
}

function Typing({ view }: { readonly view: View }): VNode {
  const names = view.typing.map((id) => view.users[id]?.name ?? id);
  const text = names.length === 0 ? '' : `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} typing…`;
  return html`<p class="typing note" role="status">${text}</p>` as VNode;
}
