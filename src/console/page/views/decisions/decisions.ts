import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { Feed } from '../../data/feed.ts';
import { Problem } from '../../parts/controls.ts';
import { Empty } from '../../parts/states.ts';
import { Later } from '../../shell/later.ts';
import { pageAddress } from '../../shell/pages.ts';
import { Grants } from './grants.ts';
import { History } from './history.ts';
import { Origins } from './origins.ts';
import { RequestCard, type useWaiting } from './request.ts';

/**
 * View of everything that a person decides: waiting requests, earlier decisions, grants, web pages, and attached
 * clients. `operations` is undefined until the bridge has listed them; a part without its operation is left out.
 */
export function Requests({
  feed,
  waiting,
  operations,
  app,
}: {
  readonly feed: Feed;
  readonly waiting: ReturnType<typeof useWaiting>;
  readonly operations: ReadonlySet<string> | undefined;
  /** Id of the application whose grants and decisions are listed; null for all. */
  readonly app: string | null;
}): VNode {
  const { value, problem, again } = waiting;
  const has = (name: string): boolean => operations === undefined || operations.has(name);
  return html`<section aria-labelledby="requests-title">
    <h1 id="requests-title">Requests and grants</h1>
    ${has('requests.list') ? html`<${Problem} text=${problem} />` : null}
    ${
      value?.length === 0
        ? html`<${Empty} icon="grants" title="No request waits for you.">
      <p>An app that wants to act for you asks here. Where nobody answers in time, it is denied.</p><//>`
        : null
    }
    <div class="cards wide">${value?.map((one) => html`<${RequestCard} key=${one.id} request=${one} again=${again} />`)}</div>
    ${app === null ? null : html`<p>Grants and decisions of the application <span class="id">${app}</span> only. <a href=${pageAddress('requests')}>Show all</a></p>`}
    ${has('grants.list') ? html`<${Grants} app=${app} />` : null}
    ${has('requests.history') ? html`<${History} feed=${feed} app=${app} />` : null}
    ${has('origins.list') ? html`<${Origins} />` : null}
    ${operations?.has('attach.list') ? html`<${Later} load=${loadPairing} props=${{}} />` : null}
  </section>` as VNode;
}

const loadPairing = async () => (await import('../../drawn.ts')).Pairing;
