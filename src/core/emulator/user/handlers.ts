import type { Emulator } from '../../../emulator/compose/emulator.ts';
import type { CoreHandlers } from '../../core.ts';
import type { AppSession } from '../app-session.ts';
import { requireUser } from '../refusals.ts';
import { rpcUser } from './shapes.ts';

/** Commands on users and on the logged-in user's client. */
export function userHandlers(emulator: Emulator, session: AppSession): CoreHandlers {
  return {
    GET_USER({ id }) {
      const user = emulator.user(id);
      if (user === undefined) return null;
      // Apps may see the subscription tier of the logged-in user only.
      return rpcUser(user, session.canSeePremium && id === emulator.me().id);
    },
    async GET_IMAGE({ id, size }) {
      requireUser(emulator, id, 'id');
      const { avatarDataUrl } = await import('../../../emulator/users/avatar.ts');
      // The image is always a PNG with its media type, whatever `format` is, because programs rely on the type or on
      // the bytes.
      return { data_url: avatarDataUrl(id, size) };
    },
    USER_SETTINGS_GET_LOCALE: () => ({ locale: emulator.client.locale() }),
  };
}
