import { html } from 'htm/preact';
import {
  Activity,
  ArrowDownToLine,
  Check,
  ChevronDown,
  ChevronUp,
  CircleAlert,
  CircleHelp,
  Copy,
  Gauge,
  Hash,
  type IconNode,
  KeyRound,
  ListTree,
  MessagesSquare,
  Pencil,
  Pin,
  Plug,
  Search,
  Send,
  Settings2,
  Stethoscope,
  Users,
  Volume2,
  Wand2,
  X,
  Zap,
} from 'lucide';
import type { VNode } from 'preact';

/** Icons of the page, all of one set (Lucide), by what they mean here. */
const ICONS = {
  apps: Plug,
  ask: CircleHelp,
  channels: MessagesSquare,
  channel: Hash,
  check: Check,
  close: X,
  copy: Copy,
  doctor: Stethoscope,
  down: ChevronDown,
  download: ArrowDownToLine,
  edit: Pencil,
  faults: Zap,
  grants: KeyRound,
  operations: Settings2,
  overview: Gauge,
  pin: Pin,
  presence: Activity,
  problem: CircleAlert,
  search: Search,
  send: Send,
  traffic: ListTree,
  up: ChevronUp,
  users: Users,
  voice: Volume2,
  world: Wand2,
} as const satisfies Readonly<Record<string, IconNode>>;

export type IconName = keyof typeof ICONS;

/** Picture beside a text, which screen readers pass over. */
export function Icon({ name }: { readonly name: IconName }): VNode {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    ${ICONS[name].map(([tag, attributes], index) => html`<${tag} key=${index} ...${attributes} />`)}
  </svg>` as VNode;
}
