import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { NotOffered, Problem } from '../../parts/controls.ts';

/** Why a list could not be read; nothing while no bridge answers, because the page says that once. */
export function Failure({ text }: { readonly text: string | undefined }): VNode | null {
  const isAway = useContext(NotOffered) !== undefined;
  return isAway ? null : (html`<${Problem} text=${text} />` as VNode);
}
