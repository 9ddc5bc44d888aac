import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { pollView, votesText } from '../../../message-text/poll.ts';
import { textOf } from '../../../message-text/shape.ts';
import { timeText } from '../../../message-text/time.ts';
import { Problem, useAct, useOffer } from '../parts/controls.ts';
import { Icon } from '../parts/icon.ts';
import { useDrawing } from './drawing.ts';
import { Emoji } from './emoji.ts';

type Answer = ReturnType<typeof pollView>['answers'][number];

/** Poll of a message: its answers as choices until the viewer has voted, then its result. */
export function Poll({ poll }: { readonly poll: object }): VNode {
  const { actions, now, locale } = useDrawing();
  const view = pollView(poll);
  const { isBusy, problem, run } = useAct();
  const offer = useOffer();
  const mine = view.answers.filter(({ isMine }) => isMine).map(({ id }) => id);
  const [picked, setPicked] = useState<readonly number[]>([]);
  const [isShown, setShown] = useState(false);
  useEffect(() => setPicked([]), [mine.join()]);
  const isChoice = actions !== undefined && !view.isOver && mine.length === 0 && !isShown;
  const state = { 'aria-busy': isBusy, ...offer };
  const ends = Date.parse(textOf(poll, 'expiry'));
  const when = view.isOver
    ? 'Poll closed'
    : Number.isNaN(ends)
      ? ''
      : `ends ${timeText(ends / 1000, 'R', now, locale)}`;
  const pick = (id: number): void => {
    const others = view.isMultiple ? picked.filter((one) => one !== id) : [];
    setPicked(picked.includes(id) ? others : [...others, id]);
  };
  return html`<div class="poll" role="group" aria-label=${`Poll: ${view.question}`}>
    <div class="poll-question"><bdi>${view.question}</bdi></div>
    <div class="note">${view.isMultiple ? 'Select one or more answers' : 'Select one answer'}</div>
    <${Answers} view=${view} picked=${picked} pick=${isChoice ? pick : undefined} />
    <div class="poll-end"><span class="note">${votesText(view.total)} · ${when}</span>
      ${
        actions === undefined || view.isOver
          ? null
          : isChoice
            ? html`<button type="button" onClick=${() => setShown(true)}>Show results</button>
              <button type="button" class="good" ...${picked.length === 0 ? { disabled: true } : state} onClick=${() => run(() => actions.vote(picked))}>Vote</button>`
            : mine.length > 0
              ? html`<button type="button" ...${state} onClick=${() => run(() => actions.vote([]))}>Remove vote</button>`
              : html`<button type="button" onClick=${() => setShown(false)}>Back to vote</button>`
      }</div>
    <${Problem} text=${problem} /></div>` as VNode;
}

function Answers({
  view: { answers, total, isMultiple, isOver },
  picked,
  pick,
}: {
  readonly view: ReturnType<typeof pollView>;
  readonly picked: readonly number[];
  /** Absent where the result is visible. */
  readonly pick: ((id: number) => void) | undefined;
}): VNode {
  const name = useId();
  const most = Math.max(1, ...answers.map(({ votes }) => votes));
  if (pick !== undefined) {
    return html`<ul class="poll-answers">${answers.map(
      (one) => html`<li key=${one.id}><label class="poll-answer">
        <${Emoji} emoji=${one.emoji} /><bdi class="poll-label">${one.label}</bdi>
        <input type=${isMultiple ? 'checkbox' : 'radio'} name=${name} checked=${picked.includes(one.id)} onChange=${() => pick(one.id)} /></label></li>`,
    )}</ul>` as VNode;
  }
  return html`<ul class="poll-answers">${answers.map((one) => html`<${Result} key=${one.id} answer=${one} total=${total} isWinner=${isOver && one.votes === most} />`)}</ul>` as VNode;
}

function Result({
  answer,
  total,
  isWinner,
}: {
  readonly answer: Answer;
  readonly total: number;
  readonly isWinner: boolean;
}): VNode {
  const percent = total === 0 ? 0 : Math.min(100, Math.round((answer.votes / total) * 100));
  return html`<li class=${`poll-answer ${answer.isMine ? 'mine' : ''} ${isWinner ? 'winner' : ''}`}>
    <span class="poll-bar" style=${{ width: `${percent}%` }}></span><${Emoji} emoji=${answer.emoji} />
    <bdi class="poll-label">${answer.label}</bdi><span class="note">${votesText(answer.votes)}</span><strong>${percent}%</strong>
    ${answer.isMine ? html`<span class="tick"><${Icon} name="check" /><span class="unseen">your vote</span></span>` : null}</li>` as VNode;
}
