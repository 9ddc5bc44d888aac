import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../../data/api.ts';
import { mediaAddress } from '../../data/media.ts';
import { DrawingContext } from '../../message/drawing.ts';
import { type FieldValue, ModalFields } from '../../message/modal.ts';
import { Problem, useAct, useOffer } from '../../parts/controls.ts';
import { coded, type Opened, settle, suggesting } from './actions.ts';
import { type EncodedFile, encoded } from './files.ts';
import type { View } from './use-view.ts';

/** Modal of an application, as a dialog: its fields, and what the application refused. */
export function ModalDialog({
  modal,
  view,
  user,
  opened,
}: {
  readonly modal: Opened;
  readonly view: View;
  readonly user: string;
  readonly opened: (modal: Opened | undefined) => void;
}): VNode {
  const box = useRef<HTMLDialogElement>(null);
  const [values, setValues] = useState<Readonly<Record<string, FieldValue>>>({});
  const { isBusy, problem, run } = useAct();
  const offer = useOffer();
  useEffect(() => {
    if (box.current?.open === false) box.current.showModal();
    // Otherwise the focus is on Cancel.
    box.current
      ?.querySelector<HTMLElement>('.modal-fields :is(input, textarea, select, .chooser-field)')
      ?.focus();
  }, []);
  const close = (): void => opened(undefined);
  const submit = (event: Event): void => {
    event.preventDefault();
    run(async () => {
      const { fields, files } = await separated(values);
      const answer = await coded(call('interaction.submit', { id: modal.id, fields, files, user }));
      let next: Opened | undefined;
      // A form whose application failed stays, with the reason.
      settle(answer, (modal) => {
        next = modal;
      });
      opened(next);
    });
  };
  return html`<dialog ref=${box} class="modal" aria-labelledby="modal-title" onClose=${close}>
    <form onSubmit=${submit}>
      <header><h2 id="modal-title"><bdi>${modal.title}</bdi></h2><button type="button" onClick=${() => box.current?.close()}>Cancel</button></header>
      <p class="note">From <bdi>${modal.app}</bdi>, for ${user}</p>
      <${DrawingContext.Provider} value=${{ names: view, media: mediaAddress, now: Date.now() }}>
        <${ModalFields} components=${modal.components} suggest=${suggesting(view.channel.id, user)}
          change=${(id: string, value: FieldValue) => setValues((before) => ({ ...before, [id]: value }))} /><//>
      <p class="buttons"><button type="submit" class="good" disabled=${isBusy} ...${offer}>Submit</button><${Problem} text=${problem} /></p>
    </form>
  </dialog>` as VNode;
}

/** Values of fields and files, as `interaction.submit` takes them. */
async function separated(values: Readonly<Record<string, FieldValue>>): Promise<{
  readonly fields: Record<string, string | boolean | readonly string[]>;
  readonly files: Record<string, readonly EncodedFile[]>;
}> {
  const fields: Record<string, string | boolean | readonly string[]> = {};
  const files: Record<string, readonly EncodedFile[]> = {};
  for (const [id, value] of Object.entries(values)) {
    if (isFiles(value)) files[id] = await Promise.all(value.map(encoded));
    // A select from which nothing is chosen says so with this word.
    else
      fields[id] =
        Array.isArray(value) && value.length === 0 ? 'none' : (value as string | boolean | readonly string[]);
  }
  return { fields, files };
}

function isFiles(value: FieldValue): value is readonly File[] {
  return Array.isArray(value) && value[0] instanceof File;
}
