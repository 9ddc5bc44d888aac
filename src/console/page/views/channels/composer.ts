import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../../data/api.ts';
import { Problem, useAct, useOffer } from '../../parts/controls.ts';
import { Icon } from '../../parts/icon.ts';
import { coded, type Opened } from './actions.ts';
import { CommandForm } from './command-form.ts';
import { encoded } from './files.ts';
import type { OfferedCommand } from './types.ts';
import type { View } from './use-view.ts';

/** Interval in which a client repeats that its user types (ms). */
const TYPING_MS = 8000;
/** Maximum number of commands in the list. */
const MAX_COMMANDS = 12;
const MAX_CHARS = 4000;

interface ComposerProps {
  readonly view: View;
  readonly user: string;
  /** Id of the message that the next one answers. */
  readonly reply: string | undefined;
  readonly setReply: (message: string | undefined) => void;
  readonly opened: (modal: Opened | undefined) => void;
}

/** Where a user writes: text, an answer, files, and commands after a slash. */
export function Composer({ view, user, reply, setReply, opened }: ComposerProps): VNode {
  const [text, setText] = useState('');
  const [files, setFiles] = useState<readonly File[]>([]);
  const [command, setCommand] = useState<OfferedCommand | undefined>(undefined);
  const { problem, run, forget } = useAct();
  const field = useRef<HTMLTextAreaElement>(null);
  const offer = useOffer();
  const channel = view.channel.id;
  const commands = useCommands(channel, user, text.startsWith('/'));
  const typed = useTyping(channel, user);
  useEffect(() => {
    if (reply !== undefined) field.current?.focus();
  }, [reply]);
  const send = async (): Promise<void> => {
    if (text.trim() === '' && files.length === 0) return;
    try {
      const sent = await Promise.all(files.map(encoded));
      await coded(
        call('channel.say', {
          channel,
          text,
          author: user,
          ...(reply === undefined ? {} : { reply }),
          ...(sent.length === 0 ? {} : { files: sent }),
        }),
      );
      setText('');
      setFiles([]);
      setReply(undefined);
      typed.current = 0;
    } finally {
      field.current?.focus();
    }
  };
  const input = (event: Event): void => {
    const { value } = event.currentTarget as HTMLTextAreaElement;
    setText(value);
    forget();
    if (value !== '' && !value.startsWith('/') && Date.now() - typed.current > TYPING_MS) {
      typed.current = Date.now();
      // Others see that the user types. A refusal is ignored, because the message itself is refused then.
      call('channel.type', { channel, user }).catch(() => undefined);
    }
  };
  const found = matching(commands, text);
  const choose = (one: OfferedCommand): void => {
    setCommand(one);
    setText('');
  };
  const key = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && reply !== undefined) setReply(undefined);
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    const [only] = found;
    if (only === undefined) run(send);
    else choose(only);
  };
  if (command !== undefined) {
    return html`<${CommandForm} key=${command.id} command=${command} view=${view} user=${user} opened=${opened} close=${() => setCommand(undefined)} />` as VNode;
  }
  const answered = view.messages.find(({ message }) => message.id === reply)?.message;
  return html`<div class="composer">
    ${reply === undefined ? null : html`<p class="replying note">Replying to <bdi>${nameOf(view, answered)}</bdi> <button type="button" aria-label="Do not reply" onClick=${() => setReply(undefined)}><${Icon} name="close" /></button></p>`}
    ${
      text.startsWith('/')
        ? html`<ul class="commands" aria-label="Commands">${found.map((one, index) => html`<li key=${one.id}><button type="button" onClick=${() => choose(one)}><strong>${one.type === 1 ? '/' : ''}${one.name}</strong> <span class="note">${one.description || kindText(one.type)} · ${one.application.name}</span>${index === 0 ? html` <kbd>Enter</kbd>` : null}</button></li>`)}
          ${found.length === 0 ? html`<li class="note">${commands === undefined ? 'Looking…' : 'No command fits. A bot registers commands; Enter sends the text as it is.'}</li>` : null}</ul>`
        : null
    }
    ${files.length === 0 ? null : html`<ul class="files">${files.map((file) => html`<li key=${file.name}>${file.name} <button type="button" aria-label=${`Remove ${file.name}`} onClick=${() => setFiles(files.filter((one) => one !== file))}><${Icon} name="close" /></button></li>`)}</ul>`}
    <form aria-label=${`Write as ${user}`} onSubmit=${(event: Event) => {
      event.preventDefault();
      run(send);
    }}>
      <textarea ref=${field} rows="1" maxlength=${MAX_CHARS} dir="auto" aria-label=${`Message as ${user}`} placeholder=${view.may.say ? `Message ${view.channel.name}, or / for commands` : `${user} may not write here; / for commands`} value=${text} onInput=${input} onKeyDown=${key}></textarea>
      ${view.may.attach ? html`<label class="attach" title="Add files"><span class="unseen">Add files</span><${Icon} name="attach" /><input type="file" class="unseen" multiple onChange=${(event: Event) => setFiles([...((event.currentTarget as HTMLInputElement).files ?? [])])} /></label>` : null}
      <button type="submit" aria-label="Send" ...${view.may.say || offer['disabled'] ? offer : { title: `${user} may not write here: the answer will say why` }}><${Icon} name="send" /></button>
      <${Problem} text=${problem} />
    </form>
  </div>` as VNode;
}

const KINDS: Readonly<Record<number, string>> = { 2: 'for users', 3: 'for messages', 4: 'opens an activity' };

function kindText(type: number): string {
  return KINDS[type] ?? '';
}

/** Commands whose names begin with the typed ones, also those for users and messages; none for a text with a blank. */
function matching(commands: readonly OfferedCommand[] | undefined, text: string): readonly OfferedCommand[] {
  if (!text.startsWith('/') || commands === undefined) return [];
  const typed = text.slice(1).toLowerCase();
  return commands.filter(({ name }) => name.toLowerCase().startsWith(typed)).slice(0, MAX_COMMANDS);
}

/** Commands that the user may use, requested whenever a text begins with a slash. */
function useCommands(
  channel: string,
  user: string,
  isWanted: boolean,
): readonly OfferedCommand[] | undefined {
  const [commands, setCommands] = useState<readonly OfferedCommand[] | undefined>(undefined);
  useEffect(() => {
    if (!isWanted) return undefined;
    let isCurrent = true;
    call('interaction.commands', { channel, user }).then(
      (all) => isCurrent && setCommands(all),
      () => isCurrent && setCommands([]),
    );
    return () => {
      isCurrent = false;
    };
  }, [channel, user, isWanted]);
  return commands;
}

/** Time of this pane's last typing notice; another channel or user begins anew. */
function useTyping(channel: string, user: string): { current: number } {
  const typed = useRef(0);
  useEffect(() => {
    typed.current = 0;
  }, [channel, user]);
  return typed;
}

function nameOf({ users }: View, message: View['messages'][number]['message'] | undefined): string {
  const author = message?.['author'] as { readonly id: string; readonly username: string } | undefined;
  return users[author?.id ?? '']?.name ?? author?.username ?? 'a message';
}
