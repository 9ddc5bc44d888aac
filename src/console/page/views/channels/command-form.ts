import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../../data/api.ts';
import { mediaAddress } from '../../data/media.ts';
import { DrawingContext } from '../../message/drawing.ts';
import { Problem, useAct, useOffer } from '../../parts/controls.ts';
import { coded, type Opened, settle } from './actions.ts';
import { CommandOption, type OptionValue } from './command-option.ts';
import { leavesOf } from './command-options.ts';
import { type EncodedFile, encoded } from './files.ts';
import type { OfferedCommand } from './types.ts';
import type { View } from './use-view.ts';

interface FormProps {
  readonly command: OfferedCommand;
  readonly view: View;
  readonly user: string;
  readonly opened: (modal: Opened | undefined) => void;
  readonly close: () => void;
}

const [USER_COMMAND, MESSAGE_COMMAND] = [2, 3];
/** Number of messages that a command for messages offers. */
const MAX_TARGETS = 15;

/** Form of a command: its subcommand, its options, and its target. */
export function CommandForm({ command, view, user, opened, close }: FormProps): VNode {
  const leaves = leavesOf(command);
  const [at, setAt] = useState(0);
  const [values, setValues] = useState<Readonly<Record<string, OptionValue>>>({});
  const [target, setTarget] = useState('');
  const { isBusy, problem, run } = useAct();
  const form = useRef<HTMLFormElement>(null);
  const offer = useOffer();
  const leaf = leaves[at] ?? { path: command.name, options: [] };
  const isTyped = command.type === 1;
  useEffect(
    () => form.current?.querySelector<HTMLElement>('input, select, .chooser-field, [type=submit]')?.focus(),
    [at],
  );
  const channel = view.channel.id;
  const use = {
    app: command.application.id,
    command: isTyped ? `/${leaf.path}` : command.name,
    user,
    channel,
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    run(async () => {
      const { options, files } = await separated(values);
      const chosen = target === '' ? {} : { target };
      settle(await coded(call('interaction.use', { ...use, options, files, ...chosen })), opened);
      close();
    });
  };
  const complete = async (option: string, text: string) => {
    const { options } = await separated(values, option);
    const answer = await call('interaction.autocomplete', {
      ...use,
      option,
      options: { ...options, [option]: text },
    });
    if (answer.state === 'failed')
      throw new Error(`The application did not respond: ${answer.reason ?? 'no reason'}`);
    return answer.choices ?? [];
  };
  return html`<form ref=${form} class="command-form card" aria-label=${`Use ${use.command}`} onSubmit=${submit} onKeyDown=${(event: KeyboardEvent) => event.key === 'Escape' && close()}>
    <header><strong>${use.command}</strong> <span class="note">${command.description} · ${command.application.name}</span></header>
    <${DrawingContext.Provider} value=${{ names: view, media: mediaAddress, now: Date.now() }}>
    ${
      leaves.length < 2
        ? null
        : html`<label>Subcommand <select value=${at} onChange=${(event: Event) => {
            setAt(Number((event.currentTarget as HTMLSelectElement).value));
            setValues({});
          }}>${leaves.map(({ path }, index) => html`<option key=${path} value=${index}>${path}</option>`)}</select></label>`
    }
    ${command.type === USER_COMMAND ? html`<${CommandOption} option=${{ type: 6, name: 'user', description: 'whom it is used on', required: true }} at=${{ channel, user }} change=${(value: OptionValue) => setTarget(typeof value === 'string' ? value : '')} />` : null}
    ${
      command.type === MESSAGE_COMMAND
        ? html`<label>Message <select required value=${target} onChange=${(event: Event) => setTarget((event.currentTarget as HTMLSelectElement).value)}><option value="">…</option>
      ${view.messages
        .slice(-MAX_TARGETS)
        .toReversed()
        .map(
          ({ message }) =>
            html`<option key=${message.id} value=${message.id}>${message.content.slice(0, 60) || message.id}</option>`,
        )}</select></label>`
        : null
    }
    ${leaf.options.map(
      (
        option,
      ) => html`<${CommandOption} key=${`${at} ${option.name}`} option=${option} at=${{ channel, user }} complete=${(text: string) => complete(option.name, text)}
        change=${(value: OptionValue) => setValues((before) => ({ ...before, [option.name]: value }))} />`,
    )}<//>
    <p class="buttons"><button type="submit" class="good" disabled=${isBusy} ...${offer}>Use ${use.command}</button><button type="button" onClick=${close}>Cancel</button><${Problem} text=${problem} /></p>
  </form>` as VNode;
}

/** Values and files of options, as `interaction.use` takes them; without files, and without the option `except`. */
async function separated(
  values: Readonly<Record<string, OptionValue>>,
  except?: string,
): Promise<{
  readonly options: Record<string, string | number | boolean>;
  readonly files: Record<string, EncodedFile>;
}> {
  const options: Record<string, string | number | boolean> = {};
  const files: Record<string, EncodedFile> = {};
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === '' || name === except) continue;
    if (!(value instanceof File)) options[name] = value;
    else if (except === undefined) files[name] = await encoded(value);
  }
  return { options, files };
}
