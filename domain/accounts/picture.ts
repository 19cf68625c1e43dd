/** A profile picture as it is sent: JPEG, PNG or GIF of at most this many bytes (ACCT-05). */
export const MAX_PICTURE_BYTES = 5 * 1024 * 1024;
export const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/gif'] as const;

/** What is kept of it: a square of this many pixels each way, cut from the middle. */
export const PICTURE_SIDE = 256;
