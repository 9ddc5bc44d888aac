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

it('a join request is stored until it is answered', () => {
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

it('an invite is accepted once, and only with all of its identifiers', () => {
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

it('an invite is removed with its host, and never reveals its secret', () => {
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

it('the newest 1000 invites are stored, with unique ids even when the clock is set back', () => {
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

it('invites and join requests are removed with their user, and are not part of a snapshot', () => {
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
