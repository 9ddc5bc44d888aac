import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One picture of an animation, and its duration (ms). */
export interface Frame {
  readonly png: Uint8Array;
  readonly ms: number;
}

/** Reduces a picture to a palette of so many colours, enough for a page of text, without its metadata. */
export function withPalette(png: Uint8Array, colours: number): Buffer {
  return run('pngquant', ['--strip', '--nofs', String(colours), '-'], png);
}

/** An animated PNG that repeats, of pictures of the same size, by Debian's apngasm. */
export function animated(frames: readonly Frame[], colours: number): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'fb-animation-'));
  try {
    for (const [index, { png, ms }] of frames.entries()) {
      const name = join(folder, `frame${String(index).padStart(2, '0')}`);
      writeFileSync(`${name}.png`, withPalette(png, colours));
      writeFileSync(`${name}.txt`, `delay=${ms}/1000\n`);
    }
    run('apngasm', [join(folder, 'out.png'), join(folder, 'frame00.png'), '-z1']);
    return readFileSync(join(folder, 'out.png'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(program: string, args: readonly string[], input?: Uint8Array): Buffer {
  const { status, stdout, stderr, error } = spawnSync(program, args, { input, maxBuffer: 64 * 1024 * 1024 });
  if (status !== 0)
    throw new Error(`${program} failed (Debian: apt install ${program}): ${String(error ?? stderr)}`);
  return stdout;
}
