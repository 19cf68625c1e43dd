/** The marketplace, as its pages name it. */
export const MARKETPLACE_NAME = 'Openslot';
export const TAGLINE =
  'The modern marketplace for buying and selling ad space, connecting publishers and advertisers worldwide.';
