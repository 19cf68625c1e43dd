/** The `code` beside the message of a 403, if a link in a mail also needs the account's password. [SEC-14] */
export const PASSWORD_NEEDED = 'password-needed';
