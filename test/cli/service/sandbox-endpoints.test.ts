import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { offerSandboxEndpoints, type SandboxOffer } from '../../../src/cli/service/sandbox-endpoints.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';
import { fakeIo } from '../fake-io.ts';

/** Offers endpoints to a user with a Flatpak, who types an answer. */
async function offered(offer: SandboxOffer, answer = '') {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'data/flatpak/app/org.example.App'), { recursive: true });
  vi.stubEnv('XDG_CONFIG_HOME', join(folder, 'config'));
  onTestFinished(() => void vi.unstubAllEnvs());
  const io = fakeIo({ XDG_DATA_HOME: join(folder, 'data') }, answer);
  const notes = (await offerSandboxEndpoints([], offer, io)).filter((note) => note.startsWith('Flatpaks'));
  const file = join(folder, 'config/footbridge/footbridge.toml');
  return { notes, asked: io.stderr(), written: existsSync(file) ? readFileSync(file, 'utf8') : undefined };
}

describe.skipIf(process.platform !== 'linux')(
  'endpoints for sandboxes at an installation (Linux only)',
  () => {
    it('are added after a yes, to one question', async () => {
      const { notes, asked, written } = await offered('ask', 'y\n');
      expect(asked).toMatch(/^Flatpaks .*installed here\. Serve the apps in them, too\? [^\n]* \[y\/N\] $/);
      expect(written).toContain('preset = "flatpak"');
      expect(notes).toEqual([expect.stringContaining('was added to')]);
    });

    it.each(['', '\n', 'n\n', 'yeah\n'])(
      'are not added after %j, and the command is printed',
      async (answer) => {
        const { notes, written } = await offered('ask', answer);
        expect(written).toBeUndefined();
        expect(notes).toEqual([expect.stringContaining('footbridge endpoints add flatpak')]);
      },
    );

    it('are added or mentioned without a question where there is no terminal', async () => {
      expect(await offered('mention', 'y\n')).toMatchObject({
        notes: [expect.stringContaining('footbridge endpoints add flatpak')],
        asked: '',
        written: undefined,
      });
      expect(await offered('add')).toMatchObject({ asked: '', written: expect.stringContaining('flatpak') });
    });
  },
);
