/** The built-in database cannot be used. The message tells the operator why, and what to do. */
export class DatabaseUnusable extends Error {}
