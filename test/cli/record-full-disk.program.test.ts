import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { mountSmallDisk } from '../helpers/small-disk.ts';
import { temporaryFolder } from '../helpers/sockets.ts';
import { footbridge, footbridgeCommand, temporaryPlace } from './spawn.ts';

it('record exits with 1 when its disk is full, although the command succeeds', async (context) => {
  const disk = temporaryFolder();
  mountSmallDisk(disk, context);
  const path = join(disk, 'talk.ndjson');
  const state = 'x'.repeat(100);
  const request = JSON.stringify({ cmd: 'SET_ACTIVITY', args: { pid: 1, activity: { state } } });
  const call = footbridgeCommand('call', '-').map((word) => `'${word}'`);
  // More than the page that the record has already.
  const script = `head -c 100000 /dev/zero > '${disk}/rest' 2> /dev/null; yes '${request}' | head -n 40 | ${call.join(' ')} > /dev/null`;
  const { code, stderr } = await footbridge(temporaryPlace(), 'record', path, '--', 'sh', '-c', script);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/the record .*talk\.ndjson is not whole: .*ENOSPC/),
  });
  // What is there ends with a whole line.
  for (const line of readFileSync(path, 'utf8').trimEnd().split('\n'))
    expect(() => JSON.parse(line)).not.toThrow();
});
