import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { launchAgent } from '../../service/launchd-plist.ts';
import { parsePlist } from '../helpers/plist.ts';
import { definition } from '../service/fakes/bench.ts';

const python = spawnSync('python3', ['-c', 'import plistlib']).status === 0;

it.skipIf(!python)(
  'another parser reads the LaunchAgent as the parser of the tests does (needs python3)',
  () => {
    const { argv, env } = definition('/x');
    const text = launchAgent({ argv, env });
    const program = 'import json,plistlib,sys; print(json.dumps(plistlib.loads(sys.stdin.buffer.read())))';
    const { stdout } = spawnSync('python3', ['-c', program], { input: text, encoding: 'utf8' });
    expect(JSON.parse(stdout)).toEqual(parsePlist(text));
  },
);
