/** The limit for an uploaded profile picture. [ACCT-05] */
export const MAX_PICTURE_BYTES = 5 * 1024 * 1024;
export const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/gif'] as const;

/** The server stores a square from the center of the picture, this many pixels wide. */
export const PICTURE_SIDE = 256;
