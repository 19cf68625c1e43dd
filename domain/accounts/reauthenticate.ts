/** The `code` beside the message of a 403, if the user has to repeat the password before the call. [SEC-07] */
export const REAUTHENTICATE = 'reauthenticate';
