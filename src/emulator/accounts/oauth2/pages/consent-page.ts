import type { Page } from '../../../api/operation.ts';
import { type Html, html, page } from '../../../api/page.ts';
import type { Base } from '../../../api/world.ts';
import { describePermissions } from '../../../kernel/permission-text.ts';
import { plainText } from '../../consent/display.ts';
import { requestsWebhook } from '../incoming.ts';
import { isForGuild, readPermissions } from '../install.ts';
import type { HasOAuth2 } from '../oauth2.ts';
import { scopeList, signInNote } from './page-parts.ts';
import type { HasWebConsent } from './web-consent.ts';
import { formTargets, type WebRequest } from './web-request.ts';

/** Services for the consent page. */
type Needs = Base & HasOAuth2 & HasWebConsent;

/** The consent page; `note` is displayed above the request. */
export function consentPage(
  platform: Needs,
  request: WebRequest,
  session: string | undefined,
  note = html``,
): Page {
  const { known, options, redirectUri } = request;
  const { web, world } = platform;
  const guilds = isForGuild(options.scopes, options.integrationType) ? offered(platform, request) : undefined;
  const channels = requestsWebhook(options.scopes) ? offeredChannels(platform, request) : undefined;
  const token = web.addPage(request, session);
  const end =
    redirectUri === undefined
      ? html`<p>Nothing is sent to the application.</p>`
      : html`<p>The answer goes to <code>${plainText(redirectUri, 256)}</code>.</p>`;
  const allow =
    guilds?.length === 0 || channels?.length === 0
      ? html``
      : html`<button class="yes later" name="decision" value="allow">Allow</button>`;
  return page({
    title: `Authorize ${plainText(known.record.name)}`,
    formTargets: formTargets(request),
    laterMs: web.readingMs,
    body: html`${note}<h1>${plainText(known.record.name)} wants to act for ${plainText(world.me().username)}</h1>
<p>It asks to:</p>
${scopeList(options.scopes)}
${options.scopes.includes('bot') ? permissionList(options.permissions) : html``}
${end}
${signInNote(session)}
<form method="post" action="/oauth2/authorize">
<input type="hidden" name="token" value="${token}">
${guilds === undefined ? html`` : guildChoice(guilds, options.guildId)}
${channels === undefined ? html`` : channelChoice(channels, options.webhookChannelId)}
${allow}
<button name="decision" value="deny">Deny</button>
</form>`,
  });
}

interface Choice {
  readonly id: string;
  readonly name: string;
}

/**
 * The guilds to choose from: those where the user may add applications or, if the request fixes the guild, only that one.
 */
function offered({ world, oauth2 }: Needs, { options, isGuildFixed }: WebRequest): Choice[] {
  return [...world.tables.guilds].filter(
    ({ id }) => oauth2.mayInstall(id) && (!isGuildFixed || id === options.guildId),
  );
}

/** The channels in which the user may create a webhook or, if the request fixes the guild, only those of that guild. */
function offeredChannels({ oauth2 }: Needs, { options, isGuildFixed }: WebRequest): Choice[] {
  return oauth2.webhookChannels().filter(({ guild }) => !isGuildFixed || guild === options.guildId);
}

function channelChoice(channels: readonly Choice[], preferred: string | undefined): Html {
  if (channels.length === 0) {
    return html`<p><strong>There is no channel that you may make a webhook in.</strong></p>`;
  }
  return html`<label>Channel <select name="webhook_channel_id">${optionList(channels, preferred)}</select></label>`;
}

function optionList(choices: readonly Choice[], preferred: string | undefined): readonly Html[] {
  return choices.map(
    ({ id, name }) =>
      html`<option value="${id}"${id === preferred ? html` selected` : html``}>${plainText(name)}</option>`,
  );
}

function guildChoice(guilds: readonly Choice[], preferred: string | undefined): Html {
  if (guilds.length === 0) return html`<p><strong>There is no guild that you may add it to.</strong></p>`;
  return html`<label>Guild <select name="guild_id">${optionList(guilds, preferred)}</select></label>`;
}

function permissionList(permissions: string | number | undefined): Html {
  const names = describePermissions(permissionsOf(permissions));
  if (names.length === 0) return html`<p>Its bot gets no permission of its own.</p>`;
  return html`<p>There its bot may:</p><ul>${names.map((one) => html`<li>${one}</li>`)}</ul>`;
}

/** Zero for unreadable permissions: the authorization request itself refuses them later. */
function permissionsOf(permissions: string | number | undefined): bigint {
  try {
    return readPermissions(permissions);
  } catch {
    return 0n;
  }
}

/** The last page after an application was added that has no redirect address. */
export function endPage(isAdded: boolean): Page {
  return isAdded
    ? page({ title: 'Authorized', body: html`<h1>Authorized</h1><p>You may close this page.</p>` })
    : page({
        title: 'Nothing was added',
        body: html`<h1>Nothing was added</h1><p>The address of this page says why. You may close it.</p>`,
      });
}
