import { describe, expect, it } from 'vitest';
import { Journal } from '../../src/journal/journal.ts';
import { Opcode } from '../../src/wire/codes.ts';
import { emulatorBridge } from '../helpers/emulator-bridge.ts';
import { ids } from '../helpers/emulator-world.ts';
import { frameBytes } from '../helpers/frame-bytes.ts';
import { memoryBridge } from '../helpers/memory-bridge.ts';

/** SET_ACTIVITY with a text in Latin-1. */
const latin1 = (nonce: string) =>
  frameBytes(
    Opcode.FRAME,
    Buffer.from(
      `{"cmd":"SET_ACTIVITY","args":{"pid":1,"activity":{"details":"Au caf\u00e9"}},"nonce":"${nonce}"}`,
      'latin1',
    ),
  );

describe('an app that sends Latin-1', () => {
  it('is served with U+FFFD, and causes one warning where the rules request warnings', async () => {
    const bridge = await emulatorBridge({ activity_rules: 'warn' });
    const app = await bridge.app();
    for (const nonce of ['1', '2']) {
      app.write(latin1(nonce));
      expect(await app.answer()).toMatchObject({ evt: null, nonce, data: { details: 'Au caf\ufffd' } });
    }
    expect(await bridge.run('activity.doubts')).toEqual([
      expect.objectContaining({ clientId: ids.harbourExample, reason: expect.stringContaining('UTF-8') }),
    ]);
  });
  it('causes one warning in the log and one in the journal, from the handshake on', async () => {
    const journal = new Journal();
    const { connect, log } = await memoryBridge({ journal });
    const app = connect();
    const name = Buffer.from('{"v":1,"client_id":"1","name":"caf\u00e9"}', 'latin1');
    app.write(frameBytes(Opcode.HANDSHAKE, name));
    expect((await app.answer()).evt).toBe('READY');
    app.write(latin1('1'));
    await app.answer();
    const isWarning = (line: object) => JSON.stringify(line).includes('not valid UTF-8');
    expect(log.filter((line) => isWarning(line as object))).toHaveLength(1);
    expect(journal.read({}).entries.filter(({ kind }) => kind === 'warning')).toHaveLength(1);
  });
});
