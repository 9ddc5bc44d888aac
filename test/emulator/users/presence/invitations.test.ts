import { expect, it } from 'vitest';
import { Invitations } from '../../../../src/emulator/users/presence/invitations.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { ManualClock } from '../../../helpers/manual-clock.ts';
import { smallWorld } from '../../../helpers/small-world.ts';

const offer = (host: string | null = null) => ({
  sender: ids.river,
  recipient: ids.heron,
  application: '7',
  session: 's',
  activity: { application_id: '7' },
  secret: 'let-me-in',
  host,
});

it('keeps a request until it is answered', () => {
  const invitations = new Invitations(smallWorld(), new ManualClock());
  const request = invitations.requestJoin(ids.heron, '7');
  expect(invitations.requestJoin(ids.heron, '7')).toEqual(request);
  expect(invitations.hasRequested(ids.heron, '7')).toBe(true);
  expect(invitations.hasRequested(ids.heron, '8')).toBe(false);
  expect(invitations.answer(ids.heron, '7')).toBe(true);
  expect(invitations.answer(ids.heron, '7')).toBe(false);
  invitations.requestJoin(ids.heron, '7');
  invitations.forgetApplication('7');
  expect(invitations.hasRequested(ids.heron, '7')).toBe(false);
});

it('takes an invite up once, and only with everything that names it', () => {
  const invitations = new Invitations(smallWorld(), new ManualClock());
  const { message, channel } = invitations.invite(offer());
  const names = { sender: ids.river, application: '7', session: 's', channel, message };
  for (const wrong of [
    { sender: ids.heron },
    { application: '8' },
    { session: 'x' },
    { channel: '5' },
    { message: '5' },
  ]) {
    expect(invitations.accept({ ...names, ...wrong })).toBeUndefined();
  }
  expect(invitations.accept(names)).toMatchObject({ secret: 'let-me-in' });
  expect(invitations.accept(names)).toBeUndefined();
});

it('dies with its host, and never shows its secret', () => {
  const invitations = new Invitations(smallWorld(), new ManualClock());
  const { message, channel } = invitations.invite(offer('host'));
  invitations.invite(offer('other'));
  expect(JSON.stringify(invitations.list())).not.toContain('let-me-in');
  invitations.forgetHost('host');
  expect(invitations.list().invites).toHaveLength(1);
  expect(
    invitations.accept({ sender: ids.river, application: '7', session: 's', channel, message }),
  ).toBeUndefined();
});

it('keeps the newest 1000, with ids of their own even when the clock goes back', () => {
  const clock = new ManualClock();
  const invitations = new Invitations(smallWorld(), clock);
  const made: string[] = [];
  for (let i = 0; i < 1010; i++) {
    clock.jump(-1000);
    made.push(invitations.invite(offer()).message);
  }
  expect(new Set(made).size).toBe(1010);
  expect(invitations.list().invites.map(({ message }) => message)).toEqual(made.slice(-1000));
});

it('goes with the user whom it is about, and is never written down', () => {
  const world = smallWorld();
  const invitations = new Invitations(world, new ManualClock());
  const before = world.snapshot();
  invitations.requestJoin(ids.otter, '7');
  invitations.requestJoin(ids.heron, '7');
  invitations.invite({ ...offer(), sender: ids.otter });
  expect(world.snapshot()).toEqual(before);
  world.replace(before);
  expect(invitations.hasRequested(ids.otter, '7')).toBe(true);
  world.transaction(({ users }) => users.remove(ids.otter));
  expect(invitations.list()).toEqual({
    requests: [expect.objectContaining({ user: ids.heron })],
    invites: [],
  });
});
