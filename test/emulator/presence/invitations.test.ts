import { expect, it } from 'vitest';
import { Invitations } from '../../../src/emulator/presence/invitations.ts';
import { ManualClock } from '../../helpers/manual-clock.ts';

const offer = (host?: string) => ({
  sender: '1',
  application: '7',
  session: 's',
  activity: { application_id: '7' },
  secret: 'let-me-in',
  host,
});

it('keeps a request until it is answered', () => {
  const invitations = new Invitations(new ManualClock());
  const request = invitations.ask('1', '7');
  expect(invitations.ask('1', '7')).toEqual(request);
  expect(invitations.asked('1', '7')).toBe(true);
  expect(invitations.asked('1', '8')).toBe(false);
  expect(invitations.answer('1', '7')).toBe(true);
  expect(invitations.answer('1', '7')).toBe(false);
  invitations.ask('1', '7');
  invitations.forgetApplication('7');
  expect(invitations.asked('1', '7')).toBe(false);
});

it('takes an invite up once, and only with everything that names it', () => {
  const invitations = new Invitations(new ManualClock());
  const { message, channel } = invitations.invite(offer());
  const names = { sender: '1', application: '7', session: 's', channel, message };
  for (const wrong of [
    { sender: '2' },
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
  const invitations = new Invitations(new ManualClock());
  const { message, channel } = invitations.invite(offer('host'));
  invitations.invite(offer('other'));
  expect(JSON.stringify(invitations.list())).not.toContain('let-me-in');
  invitations.forgetHost('host');
  expect(invitations.list().invites).toHaveLength(1);
  expect(
    invitations.accept({ sender: '1', application: '7', session: 's', channel, message }),
  ).toBeUndefined();
});

it('keeps the newest 64, with ids of their own even when the clock goes back', () => {
  const clock = new ManualClock();
  const invitations = new Invitations(clock);
  const made: string[] = [];
  for (let i = 0; i < 70; i++) {
    clock.jump(-1000);
    made.push(invitations.invite(offer()).message);
  }
  expect(new Set(made).size).toBe(70);
  expect(invitations.list().invites.map(({ message }) => message)).toEqual(made.slice(-64));
});
