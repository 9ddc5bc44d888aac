import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { controlPath, findControl } from '../../src/control/address.ts';

const uid = process.getuid?.() ?? 0;
const place = { os: 'linux', uid } as const;

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'fb-control-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const thrownBy = (task: () => unknown): unknown => {
  try {
    return task();
  } catch (error) {
    return error;
  }
};

describe('controlPath', () => {
  it('is in the private folder', () => {
    expect(controlPath(place, '/run/user/7/footbridge-7')).toBe('/run/user/7/footbridge-7/control.sock');
  });

  it('is a pipe with the name of the user on Windows', () => {
    expect(controlPath({ os: 'win32', uid: undefined }, undefined)).toMatch(
      /^\\\\\?\\pipe\\footbridge-.+-control$/,
    );
  });

  it('rejects a path that the system would truncate', () => {
    expect(thrownBy(() => controlPath(place, `/${'x'.repeat(100)}`))).toMatchObject({
      code: 'FOOTBRIDGE_PATH_TOO_LONG',
    });
  });
});

describe('findControl', () => {
  it('applies the folder rule of the endpoint and creates nothing', () => {
    const runtime = folder();
    expect(thrownBy(() => findControl(place, { XDG_RUNTIME_DIR: runtime }))).toMatchObject({
      code: 'FOOTBRIDGE_NO_DAEMON',
      message: `No bridge runs for ${runtime}. Start one with: footbridge run`,
    });
    mkdirSync(join(runtime, `footbridge-${uid}`), { mode: 0o700 });
    const expected = join(runtime, `footbridge-${uid}`, 'control.sock');
    expect(findControl(place, { XDG_RUNTIME_DIR: runtime })).toBe(expected);
    expect(findControl(place, { TMPDIR: runtime })).toBe(expected);
  });

  it.each(['', 'app/com.example.App', '.flatpak/com.example.App/xdg-run', 'snap.any'])(
    'finds only the bridge of the endpoint that FOOTBRIDGE_ENDPOINT names: %j',
    (sandbox) => {
      const [runtime, other] = [folder(), folder()];
      const env = { XDG_RUNTIME_DIR: other, FOOTBRIDGE_ENDPOINT: join(runtime, sandbox, 'discord-ipc-3') };
      mkdirSync(join(other, `footbridge-${uid}`), { mode: 0o700 });
      expect(thrownBy(() => findControl(place, env))).toMatchObject({
        code: 'FOOTBRIDGE_NO_DAEMON',
        message: `No bridge runs for ${runtime}. The folder is that of FOOTBRIDGE_ENDPOINT: unset the variable, or start a bridge there`,
      });
      mkdirSync(join(runtime, `footbridge-${uid}`), { mode: 0o700 });
      expect(findControl(place, env)).toBe(join(runtime, `footbridge-${uid}`, 'control.sock'));
    },
  );

  it('rejects a FOOTBRIDGE_ENDPOINT that names no path', () => {
    const env = { XDG_RUNTIME_DIR: folder(), FOOTBRIDGE_ENDPOINT: 'discord-ipc-0' };
    expect(thrownBy(() => findControl(place, env))).toMatchObject({
      code: 'FOOTBRIDGE_ENVIRONMENT',
      message: expect.stringContaining('FOOTBRIDGE_ENDPOINT is "discord-ipc-0"') as string,
    });
  });

  it('finds the bridge of the session from the folder of a snap', () => {
    const runtime = join(folder(), 'run', 'user', '7');
    mkdirSync(join(runtime, 'snap.code'), { recursive: true });
    mkdirSync(join(runtime, `footbridge-${uid}`), { mode: 0o700 });
    const expected = join(runtime, `footbridge-${uid}`, 'control.sock');
    expect(findControl(place, { XDG_RUNTIME_DIR: join(runtime, 'snap.code') })).toBe(expected);
  });

  it('rejects a folder that others can write to, a folder of another user, and a link', () => {
    const runtime = folder();
    const path = join(runtime, `footbridge-${uid}`);
    const env = { XDG_RUNTIME_DIR: runtime };
    const refusal = { code: 'FOOTBRIDGE_ENDPOINT_FOLDER' };
    mkdirSync(path);
    chmodSync(path, 0o770);
    expect(thrownBy(() => findControl(place, env))).toMatchObject(refusal);
    rmSync(path, { recursive: true });
    mkdirSync(join(runtime, 'real'), { mode: 0o700 });
    symlinkSync(join(runtime, 'real'), path);
    expect(thrownBy(() => findControl(place, env))).toMatchObject(refusal);
    rmSync(path);
    writeFileSync(path, '');
    expect(thrownBy(() => findControl(place, env))).toMatchObject(refusal);
    rmSync(path);
    mkdirSync(join(runtime, `footbridge-${uid + 1}`), { mode: 0o700 });
    expect(thrownBy(() => findControl({ os: 'linux', uid: uid + 1 }, env))).toMatchObject(refusal);
  });
});
