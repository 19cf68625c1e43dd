/** The marketplace, as the server writes it into the document. In the pages that the build renders, the server replaces these. */
import { setting } from '../format/setting.ts';

export const MARKETPLACE_NAME: string = setting('marketplace') ?? '%NAME%';
export const TAGLINE: string = setting('tagline') ?? '%TAGLINE%';
/** The operator's logo, or what stands beside the name, as HTML of the server. */
export const MARK: string = setting('mark') ?? '%MARK%';
