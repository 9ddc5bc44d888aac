import type { Emulator } from '../../../emulator/compose/emulator.ts';
import type { CoreHandlers } from '../../core.ts';
import type { AppSession } from '../app-session.ts';
import { requireUser } from '../refusals.ts';
import { rpcUser } from './shapes.ts';

/** The commands on users and on the logged-in user's client. */
export function userHandlers(emulator: Emulator, session: AppSession): CoreHandlers {
  return {
    GET_USER({ id }) {
      const user = emulator.user(id);
      if (user === undefined) return null;
      // Apps see only the logged-in user's subscription tier.
      return rpcUser(user, session.canSeePremium && id === emulator.me().id);
    },
    async GET_IMAGE({ id, size }) {
      requireUser(emulator, id, 'id');
      const { avatarDataUrl } = await import('../../../emulator/users/avatar.ts');
      // Always a PNG with its media type, whatever `format` is: programs rely on the type or on the bytes.
      return { data_url: avatarDataUrl(id, size) };
    },
    USER_SETTINGS_GET_LOCALE: () => ({ locale: emulator.client.locale() }),
  };
}
