import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ownPackageEntry, ownPackageFolders } from '../../platform/native/own-packages.ts';
import { temporaryFolder } from './sockets.ts';

/** The folder that `FOOTBRIDGE_TEST_NODE_IPC` names, for a package installed outside this checkout. */
const ELSEWHERE = process.env['FOOTBRIDGE_TEST_NODE_IPC'];

/** URL to look for the real package from; undefined where it is not installed. */
export function realNodeIpc(): string | undefined {
  const folders = [
    fileURLToPath(new URL('../..', import.meta.url)),
    ...(ELSEWHERE === undefined ? [] : [ELSEWHERE]),
  ];
  return folders
    .map(folderUrl)
    .find((from) => ownPackageEntry('node-ipc', ownPackageFolders(from)) !== undefined);
}

/** An installed package of that name and version in a temporary folder; the URL to look for it from. */
export function installNodeIpc(version: string, source = STAND_IN): string {
  const folder = temporaryFolder();
  const own = join(folder, 'node_modules', 'node-ipc');
  mkdirSync(own, { recursive: true });
  writeFileSync(
    join(own, 'package.json'),
    JSON.stringify({ name: 'node-ipc', version, type: 'module', main: 'index.js' }),
  );
  writeFileSync(join(own, 'index.js'), source);
  return folderUrl(folder);
}

function folderUrl(folder: string): string {
  return pathToFileURL(join(folder, 'dist', 'from-here.js')).href;
}

/** The part of the package that the door uses, in the same framing: one JSON object, then a form feed. */
const STAND_IN = `
import { createServer } from 'node:net';
class Server {
  server = false;
  #listeners = [];
  #sockets = new Set();
  constructor(path, config) { this.path = path; this.config = config; }
  on(type, listener) { this.#listeners.push([type, listener]); return this; }
  publish(type, ...values) {
    for (const [wanted, listener] of this.#listeners) {
      if (wanted === '*') listener(type, ...values);
      if (wanted === type) listener(...values);
    }
  }
  emit(socket, type, data) { return socket.write(JSON.stringify({ type, data }) + '\\f'); }
  start() {
    this.server = createServer((socket) => {
      this.#sockets.add(socket);
      let text = '';
      socket.setEncoding('utf8');
      socket.on('close', () => this.#sockets.delete(socket));
      socket.on('error', (error) => this.publish('error', error));
      socket.on('data', (chunk) => {
        const parts = (text + chunk).split('\\f');
        text = parts.pop();
        for (const part of parts) {
          const { type, data } = JSON.parse(part);
          this.publish(type, data, socket);
        }
      });
      this.publish('connect', socket);
    });
    this.server.on('error', (error) => this.publish('error', error));
    this.server.listen({ path: this.path }, () => this.publish('start', this.server));
  }
  stop() {
    for (const socket of this.#sockets) socket.destroy();
    if (this.server) this.server.close();
  }
}
export class IPCModule {
  config = {};
  server = false;
  serve(path) { this.server = new Server(path, this.config); }
}
`;
