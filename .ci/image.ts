// Writes a container image as an OCI archive. It contains only the executable and the libraries that `ldd` lists, with
// their notices. It also has the manifest of `docker save`, because `docker load` of a Docker with the older image
// store reads no other.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Contents of the image. */
export interface ImageContents {
  readonly version: string;
  /** OCI's name of the processor architecture: `amd64`, `arm64`. */
  readonly architecture: string;
  /** Modification time of every file, in seconds since 1970. */
  readonly time: number;
  readonly executable: string;
  /**
   * Path of koffi's native part. The executable contains it already; only the system libraries that it needs are
   * determined from it.
   */
  readonly library: string | undefined;
  readonly licences: string;
}

const USER = 1000;
const HOME = 'home/footbridge';
const ENDPOINT = 'run/footbridge';

/**
 * Writes the archive, for which it uses a temporary folder. Throws for a library that belongs to no package of Debian.
 */
export function writeImage(path: string, contents: ImageContents): void {
  const { version, architecture, time } = contents;
  const work = mkdtempSync(join(tmpdir(), 'footbridge-image-'));
  const umask = process.umask(0o022);
  try {
    const [files, layout] = [join(work, 'files'), join(work, 'layout')];
    fill(files, contents);
    const layer = pack(files, time, join(work, 'layer.tar'));
    mkdirSync(join(layout, 'blobs/sha256'), { recursive: true });
    const blob = (content: Uint8Array, mediaType: string) => {
      writeFileSync(join(layout, 'blobs/sha256', sha256(content)), content);
      return { mediaType, digest: `sha256:${sha256(content)}`, size: content.length };
    };
    const json = (value: object): Buffer => Buffer.from(JSON.stringify(value));
    const type = (name: string): string => `application/vnd.oci.image.${name}`;
    const config = {
      created: new Date(time * 1000).toISOString(),
      architecture,
      os: 'linux',
      config: {
        User: `${USER}:${USER}`,
        Env: ['PATH=/usr/local/bin', `HOME=/${HOME}`, `XDG_RUNTIME_DIR=/${ENDPOINT}`],
        Entrypoint: ['/usr/local/bin/footbridge'],
        Cmd: ['run'],
        Volumes: { [`/${ENDPOINT}`]: {} },
      },
      rootfs: { type: 'layers', diff_ids: [`sha256:${sha256(layer)}`] },
      history: [{ created: new Date(time * 1000).toISOString(), created_by: 'npm run package' }],
    };
    const layers = [blob(gzipSync(layer), type('layer.v1.tar+gzip'))];
    const configured = blob(json(config), type('config.v1+json'));
    const manifest = { schemaVersion: 2, mediaType: type('manifest.v1+json'), config: configured, layers };
    const named = {
      ...blob(json(manifest), manifest.mediaType),
      annotations: { 'org.opencontainers.image.ref.name': version },
    };
    const index = { schemaVersion: 2, mediaType: type('index.v1+json'), manifests: [named] };
    const file = ({ digest }: { readonly digest: string }): string => `blobs/${digest.replace(':', '/')}`;
    const saved = [
      { Config: file(configured), RepoTags: [`footbridge:${version}`], Layers: layers.map(file) },
    ];
    writeFileSync(join(layout, 'oci-layout'), json({ imageLayoutVersion: '1.0.0' }));
    writeFileSync(join(layout, 'index.json'), json(index));
    writeFileSync(join(layout, 'manifest.json'), json(saved));
    tar(['--create', '--file', path, '--directory', layout, '.'], time);
  } finally {
    process.umask(umask);
    rmSync(work, { recursive: true, force: true });
  }
}

/** Copies the files of the image into a folder. */
function fill(to: string, { executable, library, licences }: ImageContents): void {
  const put = (source: string, name: string): void => {
    mkdirSync(join(to, dirname(name)), { recursive: true });
    // `copyFileSync` copies the target of a link under the link's name, because the loader opens the library by that
    // name.
    copyFileSync(source, join(to, name));
  };
  put(executable, 'usr/local/bin/footbridge');
  const needed = librariesOf(library === undefined ? [executable] : [executable, library]);
  for (const path of needed) put(path, path);
  const packages = [...new Set(needed.map(packageOf))].sort();
  for (const name of packages) put(`/usr/share/doc/${name}/copyright`, `usr/share/doc/${name}/copyright`);
  mkdirSync(join(to, 'usr/share/doc/footbridge'));
  // biome-ignore lint/suspicious/noTemplateCurlyInString: for dpkg-query to fill in
  const sources = outputOf('dpkg-query', ['-W', '-f=${source:Package} ${source:Version}\\n', ...packages]);
  const note = `The libraries are those of Debian, whose sources are https://snapshot.debian.org:\n${sources}`;
  writeFileSync(join(to, 'usr/share/doc/footbridge/copyright'), `${licences}\n${note}`);
  mkdirSync(join(to, 'etc'));
  writeFileSync(join(to, 'etc/passwd'), `footbridge:x:${USER}:${USER}::/${HOME}:/usr/local/bin/footbridge\n`);
  for (const [folder, mode] of [
    ['tmp', 0o1777],
    [HOME, 0o700],
    [ENDPOINT, 0o700],
  ] as const) {
    mkdirSync(join(to, folder), { recursive: true });
    chmodSync(join(to, folder), mode);
  }
}

/** Packs the files. They belong to root, except the folders to which the image's user writes. */
function pack(files: string, time: number, path: string): Buffer {
  const own = [HOME, ENDPOINT].map((folder) => `./${folder}`);
  const excluded = own.map((folder) => `--exclude=${folder}`);
  tar(['--create', '--file', path, '--directory', files, ...excluded, '.'], time);
  tar(['--append', '--file', path, '--directory', files, ...own], time, USER);
  return readFileSync(path);
}

function tar(args: readonly string[], time: number, owner = 0): void {
  const plain = ['--format=ustar', '--sort=name', '--numeric-owner', `--mtime=@${time}`];
  outputOf('tar', [...plain, `--owner=${owner}`, `--group=${owner}`, ...args]);
}

/** Paths of the shared libraries and of the loader. */
function librariesOf(programs: readonly string[]): string[] {
  const paths = programs.flatMap((program) =>
    [...outputOf('ldd', [program]).matchAll(/(?:=> |^\s)(\/\S+)/gm)].map(([, path = '']) => path),
  );
  return [...new Set(paths)].sort();
}

/** Returns the Debian package of a library; dpkg may have recorded the library's path with or without /usr. */
function packageOf(path: string): string {
  for (const one of [path, path.replace(/^\/usr/, ''), `/usr${path}`]) {
    const { stdout } = spawnSync('dpkg', ['-S', one], { encoding: 'utf8' });
    const [, name = ''] = /^([^:,\s]+)(?::\w+)?: /m.exec(stdout ?? '') ?? [];
    if (name !== '' && existsSync(`/usr/share/doc/${name}/copyright`)) return name;
  }
  throw new Error(`${path} is of no package of Debian, whose notices would have to go with it`);
}

function outputOf(program: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? stderr}`);
  return stdout;
}

function sha256(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
