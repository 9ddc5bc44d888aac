import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { call } from '../../data/api.ts';
import type { PartProps } from '../../data/world-data.ts';
import { Action, Line } from '../../parts/controls.ts';
import { Icon } from '../../parts/icon.ts';

/** Users: login, bans, and links with applications. */
export function Users({ world, again }: PartProps): VNode {
  const { me, client, users, account_bans: bans, applications } = world;
  const banned = new Set(bans.map(({ user }) => user));
  return html`<article class="card"><h2><${Icon} name="users" /> Users</h2>
    <p>${client.logged_in ? html`Logged in: <strong>${users.find(({ id }) => id === me)?.username ?? me}</strong>` : 'Nobody is logged in.'}
      ${' '}
      ${
        client.logged_in
          ? html`<${Action} action=${() => call('user.log-out')} done=${again}>Log out<//>`
          : html`<${Action} action=${() => call('user.log-in')} done=${again}>Log in<//>`
      }
    </p>
    <ul class="rows">${users
      .filter(({ bot }) => !bot)
      .slice(0, 200)
      .map(
        ({ id, username, global_name: name }) => html`<li key=${id}>
          <span><bdi>${name ?? username}</bdi> <span class="id">${username}</span>${banned.has(id) ? html` <span class="mark">banned</span>` : null}</span>
          <span class="buttons">
            ${id === me ? null : html`<${Action} action=${() => call('user.switch', { id })} done=${again} label=${`Switch to ${username}`}>Switch<//>`}
            ${
              banned.has(id)
                ? html`<${Action} action=${() => call('user.unban', { user: id })} done=${again} label=${`Unban ${username}`}>Unban<//>`
                : html`<${Action} kind="bad" confirm="Really ban?" action=${() => call('user.ban', { user: id })} done=${again} label=${`Ban ${username}`}>Ban<//>`
            }
          </span></li>`,
      )}</ul>
    <${Line} label="Unlink a user from an application" button="Unlink" confirm="Really unlink?" done=${again}
      action=${({ user = '', app = '' }) => call('user.unlink', { user, app })}>
      <label>User <select name="user">${users.filter(({ bot }) => !bot).map(({ id, username }) => html`<option key=${id} value=${id}>${username}</option>`)}</select></label>
      <label>Application <select name="app">${applications.map(({ id, name }) => html`<option key=${id} value=${id}>${name}</option>`)}</select></label>
    <//>
  </article>` as VNode;
}
