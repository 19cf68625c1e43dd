import pino from 'pino';
import { RELEASE } from '../settings/release.ts';
import { currentRequestId } from './request-id.ts';
import { hostname } from 'node:os';

/** Names this instance in the log. No other running instance has the name: one machine gives each process its own number. */
export const SERVER = `${hostname()}:${process.pid}`;

/**
 * Text that may begin an e-mail address, with the address if it is one. Also matches the part of a URL with a password, such
 * as `user:password@host.example`. The address is optional, so that the pattern reads each character once: without that, a
 * line of strangers with 20,000 letters took a second.
 */
const RUN = /[\w.+%:-]+(?:@[\w-]+(?:\.[\w-]+)+)?/g;

/** The longest text of an error that is logged. Libraries put parts of a request into their messages. */
const MAX_ERROR_LETTERS = 8000;

/**
 * Creates the log: one JSON object a line. It never has an e-mail address, and of an error it has only what a programmer
 * wrote: PostgreSQL adds the values of the row to an error, and Stripe the details of the card. [OPS-27]
 */
export function createLog(options: { level: string; stream?: pino.DestinationStream }): pino.Logger {
  return pino(
    {
      level: options.level,
      base: { release: RELEASE, server: SERVER },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
      mixin: () => ({ requestId: currentRequestId() }),
      serializers: { err: describeError },
      hooks: {
        streamWrite: (line) => (line.includes('@') ? line.replaceAll(RUN, hidden) : line),
      },
    },
    options.stream ?? pino.destination({ fd: 1, sync: true }),
  );
}

const hidden = (run: string): string => (run.includes('@') ? '(address)' : run);

function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return bounded(String(error));
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return {
    type: name,
    message: bounded(message),
    code,
    stack: stack && bounded(stack),
    ...(cause !== undefined && { cause: describeError(cause) }),
  };
}

const bounded = (text: string): string =>
  text.length <= MAX_ERROR_LETTERS ? text : `${text.slice(0, MAX_ERROR_LETTERS)}…`;
