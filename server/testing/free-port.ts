export { freePort } from '../db/free-port.ts';
