import { expect, it, vi } from 'vitest';
import { operations } from '../../../../src/emulator/compose/operations.ts';
import { RowShares } from '../../../../src/emulator/kernel/state/row-shares.ts';
import { type PlatformRequest, type TestPlatform, testPlatform } from '../../../helpers/platform.ts';
import { publicDocument, publicJudge } from '../../../helpers/public-document.ts';
import { ASKED } from './asked.ts';
import { ASKED_BESIDE } from './asked-beside.ts';

function asked(id: string, platform: TestPlatform): Promise<readonly [what: string, PlatformRequest]> {
  const ask = ASKED[id];
  if (ask === undefined) throw new Error(`nobody says how ${id} is asked`);
  return ask(platform);
}

/** Runs a request, and checks that the rows that it adds count for an application or a webhook. */
async function withOwnedRows<T>(task: () => Promise<T>): Promise<T> {
  const counted = vi.spyOn(RowShares.prototype, 'count');
  try {
    const result = await task();
    const unowned = counted.mock.calls.filter(([owner]) => owner === undefined);
    const bytes = unowned.reduce((sum, [, size, sign]) => sum + size * sign, 0);
    expect(bytes, 'bytes of rows that count for nobody').toBeLessThanOrEqual(0);
    return result;
  } finally {
    counted.mockRestore();
  }
}

/** Pages, files and the routes of OAuth 2.0, which have tests of their own and are not in the public document. */
const NOT_ASKED = `
  accept_invite activate_page activate_page_answer authorize authorize_device authorize_page
  authorize_page_answer authorize_page_wait authorized_page create_rpc_token
  delete_application_identity exchange_child_token exchange_overlay_code exchange_token
  finish_device get_activity_secret get_application_attachment_file
  get_application_identities_by_external_id get_application_identities_by_user
  get_application_identity_profile get_attachment_file get_emoji_file get_event_cover
  get_openid_configuration get_sound_file get_sticker_file revoke_token sign_in_page
  update_application_identity_profile verify_device`
  .trim()
  .split(/\s+/);
const offered = operations.filter(({ id }) => !NOT_ASKED.includes(id) && !Object.hasOwn(ASKED_BESIDE, id));

it('there is one request for every other operation', () => {
  const known = [...Object.keys(ASKED), ...Object.keys(ASKED_BESIDE), ...NOT_ASKED];
  expect(known.sort()).toEqual(operations.map(({ id }) => id).sort());
});

it('operations have unique names and unique paths', () => {
  const names = operations.map(({ id }) => id);
  expect(new Set(names).size).toBe(names.length);
  const places = operations.map(
    ({ method, path, at }) => `${method} ${at} ${path.replaceAll(/\{\w+\}/g, '{}')}`,
  );
  expect(new Set(places).size).toBe(places.length);
});

const judge = publicDocument === undefined ? undefined : publicJudge();
const byTheDocument =
  judge === undefined ? ' (without the public document: none lies beside the checkout)' : '';

it.each(offered.map(({ id }) => id))(
  `%s returns what is declared, and what the public document allows${byTheDocument}`,
  async (id) => {
    const platform = await testPlatform();
    const [what, request] = await asked(id, platform);
    // The first request of a bot adds its account.
    await platform.call('GET /users/@me', { headers: platform.bot() });
    const { status, body } = await withOwnedRows(() => platform.call(what, request));
    const declared = operations.find((operation) => operation.id === id)?.answers[status];
    expect(declared, `${what} answered ${status} ${JSON.stringify(body)}`).toBeDefined();
    if (declared !== null) declared?.parse(body);
    if (judge !== undefined) expect(judge.faults(id, status, body), JSON.stringify(body)).toEqual([]);
  },
);

it.skipIf(judge === undefined)(
  'the emulator offers every operation of the public document (requires OPENAPI_DOCUMENT, or a document beside the checkout)',
  () => {
    // Parameters have other names in the document.
    const key = (text: string) => text.replaceAll(/\{\w+\}/g, '{}');
    const ours = offered.map(({ id, method, path }) => key(`${id} ${method} ${path}`));
    expect(ours.sort()).toEqual(judge?.operations.map(key).sort());
  },
);
