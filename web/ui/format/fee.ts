/** The commission and the lowest price, as the server writes them into the document. */
import { setting } from './setting.ts';

/**
 * The marketplace's share of each sale, and the publisher's, in percent: '15' and '85'. In the pages that the build
 * renders they are placeholders, which the server replaces (server/platform/http/web-app/built-pages.ts). An ad, and a publisher
 * with another commission, have their own.
 */
export const COMMISSION: string = setting('commission') ?? '%COMMISSION%';
export const EARNED: string = setting('earned') ?? '%EARNED%';

/** The lowest price of a new pricing option, in cents. [OWNS-63] */
export const MINIMUM_PRICE_CENTS = Number(setting('minimumPrice') ?? 0);
