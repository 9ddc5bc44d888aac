// A process of apps for `npm run bench -- cores`: connects, subscribes, and prints how late each event came (ms), as one
// JSON list. Arguments: path of the endpoint, number of apps, number of events.
import { FramePeer, type Heard } from './frame-peer.ts';

const [path = '', apps = '0', events = '0'] = process.argv.slice(2);
const now = (): number => performance.timeOrigin + performance.now();
const late: number[] = [];
const peers: FramePeer[] = [];
let heardOf = 0;
let finish = (): void => {};
const all = new Promise<void>((resolve) => {
  finish = resolve;
});

for (let n = 0; n < Number(apps); n++) {
  const peer = await FramePeer.open(path);
  const answer = await peer.request('SUBSCRIBE', {}, 'GUILD_CREATE');
  if (answer.evt === 'ERROR') throw new Error(JSON.stringify(answer));
  peer.onEvent = ({ data }: Heard) => {
    late.push(now() - Number(data.name));
    heardOf += 1;
    if (heardOf === Number(apps) * Number(events)) finish();
  };
  peers.push(peer);
}
process.stdout.write('subscribed\n');
await all;
process.stdout.write(`${JSON.stringify(late)}\n`);
for (const peer of peers) peer.close();
