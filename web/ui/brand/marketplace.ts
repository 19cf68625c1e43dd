/** The marketplace, as the server writes it into the document. In the pages that the build renders, the server replaces these. [OWNS-10] */

const data = globalThis.document?.documentElement.dataset;

export const MARKETPLACE_NAME: string = data?.['marketplace'] ?? '%NAME%';
export const TAGLINE: string = data?.['tagline'] ?? '%TAGLINE%';
