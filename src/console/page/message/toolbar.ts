import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { Button } from '../parts/button.ts';
import { Problem, useAct, useOffer } from '../parts/controls.ts';
import { CopyButton } from '../parts/copy.ts';
import { Icon } from '../parts/icon.ts';
import { useDrawing } from './drawing.ts';

/** What the viewer may do with a message as a whole; seen while the pointer or the focus is on the message. */
export function Toolbar({
  id,
  isSystem,
  react,
}: {
  readonly id: string;
  readonly isSystem: boolean;
  readonly react: () => void;
}): VNode | null {
  const { actions } = useDrawing();
  const offer = useOffer();
  const { problem, run } = useAct();
  if (actions === undefined) return null;
  const { reply, remove, traffic } = actions;
  return html`<div class="message-toolbar" role="group" aria-label="Message">
    <button type="button" aria-label="Add a reaction" title="Add a reaction" onClick=${react} ...${offer}><${Icon} name="react" /></button>
    ${isSystem ? null : html`<button type="button" aria-label="Reply" title="Reply" onClick=${() => reply()} ...${offer}><${Icon} name="reply" /></button>`}
    <${CopyButton} text=${id} what="copy the id of the message">Id<//>
    ${traffic === undefined ? null : html`<a href=${traffic} aria-label="Traffic of the message" title="Traffic of the message"><${Icon} name="traffic" /></a>`}
    ${remove === undefined ? null : html`<${Button} type="button" kind="bad" label="Delete the message" confirm="Delete?" use=${() => run(remove)} state=${{ title: 'Delete the message', ...offer }}><${Icon} name="delete" /><//>`}
    <${Problem} text=${problem} /></div>` as VNode;
}
