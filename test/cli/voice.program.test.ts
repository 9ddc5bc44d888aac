import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { controlClient } from '../../src/control/client.ts';
import { Opcode } from '../../src/wire/codes.ts';
import { PATIENCE_MS } from '../helpers/patience.ts';
import { type Script, scriptedServer, wellBehaved } from '../helpers/scripted-server.ts';
import { footbridge, type Place, startDaemonProcess, startFootbridge, temporaryPlace } from './spawn.ts';

const LOUNGE = '500000000000000005';

const run = (place: Place, ...more: readonly string[]) =>
  startDaemonProcess(place, '--ws-port', 'off', '--consent', 'ask', ...more);

const control = (place: Place) =>
  controlClient({ folder: { os: 'linux', uid: process.getuid?.() }, env: place.env });

/** Answers the next request for consent. */
async function answer(place: Place, verb: 'approve' | 'deny'): Promise<{ readonly application: string }> {
  const waiting = async () =>
    (await control(place).call('requests.list')) as { id: string; applicationName: string }[];
  await expect.poll(waiting).toHaveLength(1);
  const [request] = await waiting();
  await control(place).call(`requests.${verb}`, { id: request?.id });
  return { application: String(request?.applicationName) };
}

async function cli(place: Place, ...words: readonly string[]) {
  const { code, stdout, stderr } = await footbridge(place, 'voice', ...words);
  return { code, stdout, stderr: stderr.replace(/^footbridge: waiting; .*\n/, '') };
}

async function state(place: Place, ...words: readonly string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await cli(place, ...words, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Record<string, unknown>;
}

describe('footbridge voice over the emulator', () => {
  it('asks for consent once, keeps its token over a restart, and follows through the restart', async () => {
    const place = temporaryPlace();
    const bridge = await run(place);
    const first = cli(place, 'mute');
    expect(await answer(place, 'approve')).toEqual({ application: 'Footbridge' });
    expect(await first).toEqual({
      code: 0,
      stdout: 'muted (by you) · in no voice channel · voice-activity · input 100 · output 100\n',
      stderr: '',
    });
    const file = join(place.folder, 'data', 'footbridge', 'voice.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);

    const bar = startFootbridge(place, ['voice', '--follow', '--format', 'waybar']);
    await bar.stdoutWith('"class":"idle"');
    await state(place, 'join', 'Lounge');
    await bar.stdoutWith('"class":"muted"');
    bridge.child.kill('SIGTERM');
    await bridge.ended;
    await bar.stdoutWith('"class":"disconnected"');
    await run(place);
    // No request for consent: the bridge has its token.
    expect(await state(place, 'unmute')).toMatchObject({ muted: false });
    expect(await control(place).call('requests.list')).toEqual([]);
    await state(place, 'join', LOUNGE);
    const lines = (await bar.stdoutWith('"class":"open"')).trim().split('\n');
    bar.child.kill('SIGTERM');
    for (const line of lines)
      expect(Object.keys(JSON.parse(line) as object)).toEqual([
        'text',
        'tooltip',
        'alt',
        'class',
        'percentage',
      ]);
    expect(JSON.parse(lines.at(-1) ?? '')).toEqual({
      text: 'Lounge',
      tooltip: 'not muted · in Lounge · voice-activity · input 100 · output 100',
      alt: 'open',
      class: 'open',
      percentage: 100,
    });
    expect(lines.filter((line) => line.includes('"text":""')).length).toBeGreaterThan(0);
  });

  it('shows and changes one true state, each verb as often as it is given', async () => {
    const place = temporaryPlace();
    await startDaemonProcess(place, '--ws-port', 'off', '--consent', 'allow');
    for (const [words, expected] of [
      [['join', 'River Bank/Lounge'], { channel: { id: LOUNGE, name: 'Lounge' } }],
      [['join', LOUNGE], { channel: { id: LOUNGE } }],
      [['mute'], { muted: true, mutedBy: ['self'] }],
      [['mute'], { muted: true, mutedBy: ['self'] }],
      [['deafen'], { mutedBy: ['self', 'deafened'], deafened: true }],
      [['undeafen'], { mutedBy: ['self'], deafened: false }],
      [['toggle-mute'], { muted: false }],
      [['toggle-deafen'], { mutedBy: ['deafened'], deafened: true }],
      [['unmute'], { muted: false, deafened: false }],
      [['mode', 'push-to-talk'], { mode: 'push-to-talk', talking: false }],
      [['talk'], { talking: true }],
      [['talk'], { talking: true }],
      [['mute'], { talking: false, muted: true }],
      [['unmute'], { talking: true }],
      [['talk', '--release'], { talking: false }],
      [['talk', '--release'], { talking: false }],
      [['mode', 'voice-activity'], { mode: 'voice-activity' }],
      [['input', '80'], { input: 80 }],
      [['output', '150.5'], { output: 150.5 }],
      [['leave'], { channel: null, users: [] }],
      [['leave'], { channel: null }],
    ] as const)
      expect(await state(place, ...words), words.join(' ')).toMatchObject(expected);

    // A moderator mutes, whatever the user does.
    await state(place, 'join', 'Lounge');
    const river = { user: '200000000000000001', channel: LOUNGE, mute: true };
    await control(place).call('emulator.apply', { patch: { voice_states: [river] } });
    for (const [words, mutedBy] of [
      [['show'], ['server']],
      [['mute'], ['self', 'server']],
      [['deafen'], ['self', 'deafened', 'server']],
      [['undeafen'], ['self', 'server']],
      [['toggle-mute'], ['server']],
    ] as const)
      expect(await state(place, ...words), words.join(' ')).toMatchObject({ muted: true, mutedBy });
  });

  it('sets the volume of a user by name or id', async () => {
    const place = temporaryPlace();
    await startDaemonProcess(place, '--ws-port', 'off', '--consent', 'allow');
    await control(place).call('voice.join', { user: 'otter', channel: 'Lounge' });
    await state(place, 'join', 'Lounge');
    const { users } = await state(place, 'volume', 'otter', '55');
    expect(users).toMatchObject([{ name: expect.stringMatching(/otter/i), volume: 55 }]);
  });
});

describe('footbridge voice says in one line why it cannot', () => {
  it('to wrong input', async () => {
    const place = temporaryPlace();
    expect(await cli(place, 'mute')).toEqual({
      code: 69,
      stdout: '',
      stderr: expect.stringMatching(/^footbridge: No bridge runs for .* Start one with: footbridge run\n$/),
    });
    await startDaemonProcess(place, '--ws-port', 'off', '--consent', 'allow');
    for (const [words, code, text] of [
      [['input', '101'], 64, /voice.change: input: must be at most 100/],
      [['output', '201'], 64, /voice.change: output: must be at most 200/],
      [['volume', 'otter', '201'], 64, /voice.change: volume: must be at most 200/],
      [['input', 'loud'], 64, /"loud" is not a number such as 80/],
      [['mode', 'shouting'], 64, /shouting/],
      [['--format', 'waybar'], 64, /--format belongs to --follow/],
      [['volume', 'nobody', '50'], 1, /in no voice channel, so only an id names a user\. Give the id/],
      [['volume', '299999999999999999', '50'], 1, /The client refused SET_USER_VOICE_SETTINGS/],
      [['join', 'nowhere'], 1, /No voice channel is named "nowhere"; there are: River Bank\/Lounge/],
      [['join', '599999999999999999'], 1, /The client refused SELECT_VOICE_CHANNEL/],
      [['talk'], 1, /in no voice channel\. Run: footbridge voice join CHANNEL/],
    ] as const) {
      const ended = await cli(place, ...words);
      expect({ code: ended.code, stdout: ended.stdout }, words.join(' ')).toEqual({ code, stdout: '' });
      expect(ended.stderr).toMatch(text);
      expect(ended.stderr.trimEnd().split('\n')).toHaveLength(1);
    }
    await state(place, 'join', 'Lounge');
    expect((await cli(place, 'talk')).stderr).toContain('Run: footbridge voice mode push-to-talk');
    const { stderr } = await cli(place, 'volume', 'nobody', '50');
    expect(stderr).toContain('No user in Lounge is named "nobody"; there: none. Give the id of the user.');
  });

  it('without consent: refused by the user, and by the policy', async () => {
    const place = temporaryPlace();
    await run(place);
    const refused = cli(place, 'show');
    await answer(place, 'deny');
    const { code, stderr } = await refused;
    expect(code).toBe(1);
    expect(stderr).toBe(
      'footbridge: No consent to use voice: access_denied: The user denied the request. Run the command again to be asked again.\n',
    );
    const passive = control(place).call('voice.show', { passive: true });
    await expect(passive).rejects.toMatchObject({ code: 'FOOTBRIDGE_CONSENT' });
    expect(await control(place).call('requests.list')).toEqual([]);
    const other = temporaryPlace();
    await startDaemonProcess(other, '--ws-port', 'off', '--consent', 'deny');
    expect((await cli(other, 'mute')).stderr).toContain('Start the bridge with --consent ask');
  });

  it('to a chat client without voice, without the application, and to no chat client', async () => {
    const place = temporaryPlace();
    // It knows presence alone, and leaves everything else without an answer, as arRPC does.
    const presenceAlone: Script = (frame, peer, connection) => {
      if (frame.opcode === Opcode.PING) return peer.send(Opcode.PONG, frame.body);
      if (frame.opcode === Opcode.HANDSHAKE || frame.body.cmd === 'SET_ACTIVITY')
        wellBehaved(frame, peer, connection);
    };
    const path = join(place.folder, 'discord-ipc-1');
    await startDaemonProcess(place, '--core', 'upstream', '--ws-port', 'off');
    expect((await cli(place)).stderr).toMatch(/Voice cannot be reached: .*footbridge status shows the core/);
    const client = await scriptedServer(presenceAlone, path);
    expect((await cli(place)).stderr).toContain(
      'The core "upstream" offers no voice here: it does not answer',
    );
    await client.stop();
    const strict: Script = (frame, peer) => {
      if (frame.opcode === Opcode.PING) return peer.send(Opcode.PONG, frame.body);
      peer.send(Opcode.CLOSE, { code: 4000, message: 'Invalid Client ID' });
    };
    await scriptedServer(strict, path);
    expect((await cli(place)).stderr).toContain(
      'does not know the application 9100000000000000001. Set voice_application',
    );
    const alone = temporaryPlace();
    await startDaemonProcess(alone, '--core', 'attach', '--attach-port', '0', '--ws-port', 'off');
    expect((await cli(alone)).stderr).toContain('Voice cannot be reached: No chat client is attached');
  });
});

it('voice works with a Footbridge behind the bridge, once its token endpoint is set', async () => {
  const behind = temporaryPlace();
  const client = await startDaemonProcess(behind, '--ws-port', 'off', '--consent', 'allow');
  const { ready } = client;
  const [endpoint] = ready['endpoints'] as { path: string }[];
  const place = temporaryPlace();
  const args = ['--core', 'upstream', '--upstream', endpoint?.path ?? '', '--ws-port', 'off'];
  const first = await startDaemonProcess(place, ...args);
  expect((await cli(place)).stderr).toContain('names no token endpoint. Set voice_api');
  first.child.kill('SIGTERM');
  await first.ended;
  const env = { ...place.env, FOOTBRIDGE_VOICE_API: String(ready['api']) };
  await startDaemonProcess({ ...place, env }, ...args);
  expect(await state(place, 'mute')).toMatchObject({ muted: true });
  expect(await state(behind, 'show')).toMatchObject({ muted: true });

  // A client that is away is no state of voice: neither for a command, nor for a bar that waits for a change.
  const { version, begun } = await state(place, 'show');
  client.child.kill('SIGTERM');
  await client.ended;
  const away =
    /^footbridge: Voice cannot be reached: .*footbridge status shows the core and its chat client\.\n$/;
  expect(await cli(place, 'show')).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(away) as string,
  });
  await expect(control(place).call('voice.show', { version, begun, wait: 100 })).rejects.toThrow(
    'Voice cannot be reached',
  );
  const port = new URL(String(ready['api'])).port;
  const back = ['run', '--json', '--http-port', port, '--ws-port', 'off', '--consent', 'allow'];
  await startFootbridge(behind, back).stdoutWith('\n');
  await expect.poll(async () => (await cli(place)).code, { timeout: PATIENCE_MS }).toBe(0);
  expect(await state(place, 'mute')).toMatchObject({ muted: true });
});
