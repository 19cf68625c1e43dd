/** The marketplace, as its pages name it until the operator chooses a name. */
export const DEFAULT_NAME = 'Openslot';
export const DEFAULT_TAGLINE =
  'The modern marketplace for buying and selling ad space, connecting publishers and advertisers worldwide.';
