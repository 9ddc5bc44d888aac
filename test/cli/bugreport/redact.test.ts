import { expect, it } from 'vitest';
import { redactor } from '../../../src/cli/bugreport/redact.ts';

const redact = redactor({ home: '/home/ann', user: 'ann', host: 'boat.local' });

it.each([
  ['a log in /home/ann/.local/share/footbridge', 'a log in ~/.local/share/footbridge'],
  ['ann on boat.local, not annex or ann-b', '[user] on [host], not annex or ann-b'],
  ['/run/user/1000/discord-ipc-0: this bridge', '/run/user/1000/discord-ipc-0: this bridge'],
  ['client 300000000000000001 closed with 4006', 'client 300000000000000001 closed with 4006'],
  ['com.discordapp.DiscordCanary sees no endpoint', 'com.discordapp.DiscordCanary sees no endpoint'],
  ['linux 6.18.44-fc-v782, version 0.1.0', 'linux 6.18.44-fc-v782, version 0.1.0'],
  ['got 6qrZcUqja7812RVdnEKjpzOL4CvHBFG from it', 'got [hidden] from it'],
  [
    'access_token=short and client_secret: "a b"',
    'access_token=[hidden] and client_secret: "[hidden] [hidden]"',
  ],
  ['authorization: Bearer abcdefabcdefabcdef', 'authorization: Bearer [hidden]'],
  ['https://ann:pw@boat.local/cb?code=xyz', expect.not.stringMatching(/pw|xyz/)],
  [
    "message path=exec:sshpass -p 'pw' ssh pier reason=exec:sshpass -p pw ssh pier: the command hung up.",
    'message path=exec:[hidden] reason=exec:[hidden]: the command hung up.',
  ],
  ['Forwarding exec:ssh pier footbridge to auto', 'Forwarding exec:[hidden]'],
  ['\u001b[2Jtext', expect.not.stringContaining('\u001b')],
])('the line %j is written as %j', (line, written) => {
  expect(redact(line)).toEqual(written);
});

it('a line is bounded, and names that are too short stay', () => {
  expect(redact('x '.repeat(5000)).length).toBeLessThanOrEqual(2000);
  const short = redactor({ home: '/', user: 'a', host: '' });
  expect(short('/a is a path')).toBe('/a is a path');
});
