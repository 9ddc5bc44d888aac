import type { Emulator } from '../../../emulator/compose/emulator.ts';
import type { CoreHandlers } from '../../core.ts';
import type { AppSession } from '../app-session.ts';
import { requireUser } from '../refusals.ts';
import { rpcUser } from './shapes.ts';

/** The commands about users, and about the client of the logged-in one. */
export function userHandlers(emulator: Emulator, session: AppSession): CoreHandlers {
  return {
    GET_USER({ id }) {
      const user = emulator.user(id);
      if (user === undefined) return null;
      // The tier is the logged-in user's to show, and nobody else's.
      return rpcUser(user, session.seesPremium && id === emulator.me().id);
    },
    async GET_IMAGE({ id, size }) {
      requireUser(emulator, id, 'id');
      const { avatarDataUrl } = await import('../../../emulator/users/avatar.ts');
      // Whatever `format` says it is a PNG and is labelled so: programs look at the label, or at the bytes.
      return { data_url: avatarDataUrl(id, size) };
    },
    USER_SETTINGS_GET_LOCALE: () => ({ locale: emulator.client.locale() }),
  };
}
