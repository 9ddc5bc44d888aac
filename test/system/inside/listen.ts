// `listen.mjs PATH`: somebody else's server, as a chat client that was there first; prints `up`, and answers nobody.
import { createServer } from 'node:net';

createServer(() => {}).listen(process.argv[2], () => process.stdout.write('up\n'));
