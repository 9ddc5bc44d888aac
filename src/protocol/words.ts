import english from 'zod/v4/locales/en.js';
import { once } from './command.ts';

/**
 * The second argument of `safeParse` where somebody reads what is wrong. The words are
 * given to each call, because what is set for zod as a whole is for a program around us to set.
 */
export const inWords = once(() => ({ error: english().localeError }));
