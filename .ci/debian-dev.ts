// Writes the Debian package footbridge-dev: the header for C and C++ with what pkg-config and CMake need. It holds what
// "cmake --install" installs from src/native.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root, version } from './bundle.ts';
import { buildPackage, type Files, MAINTAINER } from './debian.ts';
import { read } from './staging.ts';

const NATIVE = 'src/native';
const INCLUDE = 'usr/include/footbridge';
const CMAKE = 'usr/share/cmake/Footbridge';
const DOC = 'usr/share/doc/footbridge-dev';

/** Writes the package into a folder and returns its path. `time` is the modification time of every file (s since 1970). */
export async function writeDevelopmentPackage(out: string, time: number): Promise<string> {
  const path = join(out, `footbridge-dev_${version}_all.deb`);
  await buildPackage(path, { files: files(), control }, time);
  return path;
}

function files(): Files {
  const copied = (from: string, to: string) =>
    readdirSync(join(root, NATIVE, from))
      .sort()
      .map((name) => [`${to}/${name}`, read(`${NATIVE}/${from}/${name}`)] as const);
  const filled = (from: string) => read(`${NATIVE}/${from}`).replaceAll('@PROJECT_VERSION@', version);
  return [
    [`${INCLUDE}/footbridge.h`, read(`${NATIVE}/footbridge.h`)],
    ...copied('compat', `${INCLUDE}/compat`),
    [`${CMAKE}/FootbridgeConfig.cmake`, read(`${NATIVE}/cmake/FootbridgeConfig.cmake`)],
    [`${CMAKE}/FootbridgeConfigVersion.cmake`, filled('cmake/FootbridgeConfigVersion.cmake.in')],
    ['usr/share/pkgconfig/footbridge.pc', filled('footbridge.pc.in')],
    ...copied('examples', `${DOC}/examples`),
    [`${DOC}/copyright`, `${read('LICENSE')}\nfootbridge.h also:\n${read(`${NATIVE}/parts/licence.h`)}`],
    [`${DOC}/changelog.gz`, gzipSync(read('.github/CHANGELOG.md'), { level: 9 })],
  ];
}

function control(size: number): string {
  return `Package: footbridge-dev
Version: ${version}
Architecture: all
Multi-Arch: foreign
Maintainer: ${MAINTAINER}
Installed-Size: ${Math.ceil(size / 1024)}
Suggests: footbridge
Section: libdevel
Priority: optional
Description: Client for the local RPC of chat clients, as one C header
 footbridge.h is for native programs in C and C++: presence, commands, events and
 voice settings over the discord-ipc endpoint, without a dependency, a thread or a
 global. The functions of the archived library discord-rpc are beside it.
`;
}
