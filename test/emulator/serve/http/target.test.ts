import { expect, it } from 'vitest';
import { targetOf } from '../../../../src/emulator/serve/http/target.ts';
import { testPlatform } from '../../../helpers/platform.ts';

it.each([
  ['/api/users/%40me', '/api/users/@me'],
  ['/api/%75sers/@me', '/api/users/@me'],
  ['/%61pi/v%31%30/%75%73ers/@me', '/api/v10/users/@me'],
  // These mean something else when they are plain.
  ['/api/users%2F@me', '/api/users%2F@me'],
  ['/api/users%3F', '/api/users%3F'],
  ['/api/%2575sers', '/api/%2575sers'],
  ['/api/%%37%35sers', '/api/%%37%35sers'],
  ['/api/users/%', '/api/users/%'],
])('targetOf writes %s as %s', (written, meant) => {
  expect(targetOf(written).pathname).toBe(meant);
});

it('an operation is found by an encoded path, but not behind an encoded slash', async () => {
  const { call, url, bearer } = await testPlatform();
  const headers = await bearer();
  expect((await call(`GET ${url}/v10/%75sers/%40me`, { headers })).status).toBe(200);
  expect((await call(`GET ${url}/v10/users%2F@me`, { headers })).status).toBe(404);
});
