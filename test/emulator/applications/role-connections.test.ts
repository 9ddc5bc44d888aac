import { describe, expect, it } from 'vitest';
import { APP, testPlatform } from '../../helpers/platform.ts';

/** Fields of an application, one of each kind, and a user who connects. */
async function connecting() {
  const { call, bot, bearer, emulator } = await testPlatform();
  const field = (key: string, type: number) => ({ type, key, name: key, description: key });
  await call(`PUT /applications/${APP}/role-connections/metadata`, {
    headers: bot(),
    json: [field('cookieseaten', 2), field('firstcookiebaking', 6), field('allergictonuts', 7)],
  });
  const headers = await bearer(['role_connections.write']);
  const path = `/users/@me/applications/${APP}/role-connection`;
  const put = (metadata: unknown) => call(`PUT ${path}`, { headers, json: { metadata } });
  return { put, emulator };
}

describe('metadata of a role connection', () => {
  it('may be numbers, as linked-roles-sample sends it', async () => {
    const { put, emulator } = await connecting();
    const sent = { cookieseaten: 1483, allergictonuts: 0, firstcookiebaking: '2003-12-20' };
    const stored = { cookieseaten: '1483', allergictonuts: '0', firstcookiebaking: '2003-12-20' };
    expect(await put(sent)).toMatchObject({ status: 200, body: { metadata: stored } });
    emulator.importState(emulator.exportState(), 'x');
  });

  it('is text whatever is sent', async () => {
    const { put } = await connecting();
    const { body } = await put({ allergictonuts: true, other: 1.5, none: null, no: false });
    expect(body.metadata).toEqual({ allergictonuts: 'true', other: '1.5', none: 'null', no: 'false' });
  });

  it.each([
    ['cookieseaten', '-3', 200],
    ['cookieseaten', 'many', 400],
    ['cookieseaten', '1.5', 400],
    ['cookieseaten', 1.5, 400],
    ['cookieseaten', true, 400],
    ['cookieseaten', null, 400],
    ['cookieseaten', '', 400],
    ['firstcookiebaking', '2030-01-31T12:00:00Z', 200],
    ['firstcookiebaking', '2030-01-31T12:00:00.000+02:00', 200],
    ['firstcookiebaking', '2030-02-30', 400],
    ['firstcookiebaking', '2030-13-01', 400],
    ['firstcookiebaking', 'yesterday', 400],
    ['firstcookiebaking', 2030, 400],
    ['allergictonuts', 1, 200],
    ['allergictonuts', 'False', 200],
    ['allergictonuts', 2, 400],
    ['allergictonuts', 'yes', 400],
    ['allergictonuts', [], 400],
    ['other', 'x'.repeat(101), 400],
    ['other', {}, 400],
  ])('with %s %j answers %i', async (key, value, status) => {
    const { put, emulator } = await connecting();
    const before = emulator.exportState();
    const answer = await put({ [key]: value });
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    if (status === 200) return;
    expect(answer.body).toMatchObject({ code: 50035, errors: { metadata: { [key]: expect.anything() } } });
    expect(emulator.exportState()).toBe(before);
  });
});
