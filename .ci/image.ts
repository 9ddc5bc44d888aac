// Writes a container image with buildah: the executable and the libraries that `ldd` lists, with their notices. The archive
// is that of `docker save`, because `docker load` of a Docker with the older image store reads no other.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { version } from './bundle.ts';
import { inFolder, outputOf, write } from './staging.ts';

/** `library` is koffi's native part: the executable contains it, and the libraries that it needs are found from it. */
type ImageFiles = Readonly<Record<'executable' | 'licences', string> & { library: string | undefined }>;

const USER = 1000;
const HOME = 'home/footbridge';
const ENDPOINT = 'run/footbridge';

/**
 * Writes the archive. `time` is the modification time of every file, in seconds since 1970. Throws for a library that
 * belongs to no package of Debian, and where buildah fails.
 */
export async function writeImage(path: string, files: ImageFiles, time: number): Promise<void> {
  // OCI's names of processors.
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  await inFolder((work) => {
    const store = ['--storage-driver=vfs', `--root=${work}/root`, `--runroot=${work}/run`];
    const buildah = (...args: readonly string[]): string => outputOf('buildah', [...store, ...args]).trim();
    const tree = join(work, 'files');
    fill(tree, files);
    const empty = join(work, 'empty');
    mkdirSync(empty, { mode: 0o700 });
    const image = buildah('from', 'scratch');
    buildah('copy', image, tree, '/');
    for (const folder of [HOME, ENDPOINT])
      buildah('copy', `--chown=${USER}:${USER}`, image, empty, `/${folder}`);
    buildah(
      'config',
      `--arch=${architecture}`,
      `--user=${USER}:${USER}`,
      '--env=PATH=/usr/local/bin',
      `--env=HOME=/${HOME}`,
      `--env=XDG_RUNTIME_DIR=/${ENDPOINT}`,
      '--entrypoint=["/usr/local/bin/footbridge"]',
      '--cmd=run',
      `--volume=/${ENDPOINT}`,
      '--created-by=npm run package',
      image,
    );
    const archive = join(work, 'image.tar');
    // A configuration in the format of docker would have the container's random id.
    const how = ['--quiet', '--format=oci', `--timestamp=${time}`];
    buildah('commit', ...how, image, `docker-archive:${archive}:footbridge:${version}`);
    write(path, gzipSync(readFileSync(archive)));
  });
}

/** Copies the files of the image into a folder. */
function fill(to: string, { executable, library, licences }: ImageFiles): void {
  const put = (source: string, name: string): void => {
    mkdirSync(join(to, dirname(name)), { recursive: true });
    // `copyFileSync` copies the target of a link under the link's name, by which the loader opens the library.
    copyFileSync(source, join(to, name));
  };
  put(executable, 'usr/local/bin/footbridge');
  const needed = librariesOf(library === undefined ? [executable] : [executable, library]);
  for (const path of needed) put(path, path);
  const packages = [...new Set(needed.map(packageOf))].sort();
  for (const name of packages) put(`/usr/share/doc/${name}/copyright`, `usr/share/doc/${name}/copyright`);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: for dpkg-query to fill in
  const sources = outputOf('dpkg-query', ['-W', '-f=${source:Package} ${source:Version}\\n', ...packages]);
  const note = `The libraries are those of Debian, whose sources are https://snapshot.debian.org:\n${sources}`;
  write(join(to, 'usr/share/doc/footbridge/copyright'), `${licences}\n${note}`);
  write(join(to, 'etc/passwd'), `footbridge:x:${USER}:${USER}::/${HOME}:/usr/local/bin/footbridge\n`);
  mkdirSync(join(to, 'tmp'));
  chmodSync(join(to, 'tmp'), 0o1777);
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
