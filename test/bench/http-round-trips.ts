import { connect } from 'node:net';
import { median } from './statistics.ts';

const WARM_UP = 2000;
const MEASURED = 3000;
/** A bot of the built-in fixture, as the emulator knows it. */
const TOKEN = `Bot ${Buffer.from('300000000000000001').toString('base64url')}.emulator.bot`;

/** Median time of a small GET over one connection, one at a time (µs). Rejects when an answer is not 200. */
export async function roundTrips(api: string): Promise<number> {
  const url = new URL(`${api}/v10/users/@me`);
  const socket = connect({ port: Number(url.port), host: url.hostname, noDelay: true }).setEncoding('latin1');
  const text = `GET ${url.pathname} HTTP/1.1\r\nhost: ${url.host}\r\nauthorization: ${TOKEN}\r\n\r\n`;
  const times: number[] = [];
  try {
    for (let count = 0; count < WARM_UP + MEASURED; count += 1) {
      const begun = performance.now();
      socket.write(text);
      await answer(socket);
      if (count >= WARM_UP) times.push((performance.now() - begun) * 1000);
    }
  } finally {
    socket.destroy();
  }
  return median(times);
}

function answer(socket: ReturnType<typeof connect>): Promise<void> {
  return new Promise((resolve, reject) => {
    let pending = '';
    const onData = (chunk: string): void => {
      pending += chunk;
      const head = pending.indexOf('\r\n\r\n');
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(pending)?.[1] ?? 0);
      if (head < 0 || pending.length < head + 4 + length) return;
      socket.off('data', onData).off('error', reject);
      if (pending.startsWith('HTTP/1.1 200')) resolve();
      else reject(new Error(`answered ${pending.slice(0, 200)}`));
    };
    socket.on('data', onData).once('error', reject);
  });
}
