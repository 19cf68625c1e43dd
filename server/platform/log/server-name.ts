import { hostname } from 'node:os';

/** Names this instance in the log. No other running instance has the name: one machine gives each process its own number. */
export const SERVER = `${hostname()}:${process.pid}`;
