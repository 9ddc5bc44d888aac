// Fields that the emulator does not offer pass when they ask for nothing, because libraries send them with every request.
import { expect, it } from 'vitest';
import type { Operation } from '../../../../src/emulator/api/operation.ts';
import { operations } from '../../../../src/emulator/compose/operations.ts';
import { fieldWithin } from '../../../../src/emulator/serve/http/field-within.ts';
import { APP, type PlatformRequest, testPlatform } from '../../../helpers/platform.ts';
import { ASKED as ASKED_IN_PUBLIC } from './asked.ts';
import { ASKED_BESIDE } from './asked-beside.ts';

const ASKED = { ...ASKED_IN_PUBLIC, ...ASKED_BESIDE };
const lacking = operations.filter(({ notOffered }) => notOffered.length > 0);
const fields = lacking.flatMap(({ id, notOffered }) => notOffered.map((field) => [id, field] as const));

/** A body whose only field is this one: `a.[].b`. */
function only([name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  return name === '[]' ? [only(rest, value)] : { [name]: only(rest, value) };
}

const DEFAULTS: readonly unknown[] = [null, false, 0, '', [], 'false', 'False', '0'];

it.each(fields)('the field of %s that is not offered asks for something or passes: %s', (id, field) => {
  const { notOffered } = operations.find((one) => one.id === id) as Operation;
  const refusedWith = (value: unknown) => fieldWithin(notOffered, only(field.split('.'), value));
  expect(DEFAULTS.map(refusedWith)).toEqual(DEFAULTS.map(() => undefined));
  const wanted = [true, 1, 'x', [null], [{}], {}];
  expect(wanted.map(refusedWith)).toEqual(wanted.map(() => field));
});

/** The body with a field, where what the field is a member of stands in it. */
function withField(body: object, [name = '', ...rest]: readonly string[], value: unknown): object {
  if (rest.length === 0) return { ...body, [name]: value };
  const inner = (body as Readonly<Record<string, unknown>>)[name];
  if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return body;
  return { ...body, [name]: withField(inner, rest, value) };
}

it.each(lacking.map(({ id }) => id))(
  '%s succeeds with null in each field that is not offered',
  async (id) => {
    const { notOffered, body } = operations.find((one) => one.id === id) as Operation;
    const platform = await testPlatform();
    const [what, request] = (await ASKED[id]?.(platform)) ?? ['', {} as PlatformRequest];
    const json = notOffered.reduce(
      (sent, field) => withField(sent, field.split('.'), null),
      (request.json ?? {}) as object,
    );
    const query = notOffered.map((name) => `${name}=`).join('&');
    const sent: PlatformRequest = body === undefined ? request : { ...request, json };
    const address = body === undefined ? `${what}${what.includes('?') ? '&' : '?'}${query}` : what;
    const { status, body: answer } = await platform.call(address, sent);
    expect(status, JSON.stringify(answer)).toBeLessThan(300);
  },
);

it('an icon and a cover of an application are removed by null', async () => {
  const { call, bot, emulator } = await testPlatform();
  await emulator.apply({ applications: [{ id: APP, icon: 'a', cover_image: 'b' }] });
  const path = 'PATCH /applications/@me';
  const changed = await call(path, { headers: bot(), json: { icon: null, cover_image: null } });
  expect(changed).toMatchObject({ status: 200, body: { icon: null } });
  expect(emulator.tables.applications.get(APP)).toMatchObject({ icon: null, cover_image: null });
});
