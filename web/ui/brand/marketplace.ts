/** The marketplace, as the server writes it into the document. In the pages that the build renders, the server replaces these. [OWNS-10] */
import { setting } from '../format/setting.ts';

export const MARKETPLACE_NAME: string = setting('marketplace') ?? '%NAME%';
export const TAGLINE: string = setting('tagline') ?? '%TAGLINE%';
