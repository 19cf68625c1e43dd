import pino from 'pino';
import { RELEASE } from './release.ts';
import { currentRequestId } from './request-id.ts';
import { SERVER } from './server-name.ts';

/** Also matches the part of an address with a password, such as `user:password@host.example`. */
const EMAIL = /[\w.+%:-]+@[\w-]+(?:\.[\w-]+)+/g;

/**
 * Creates the log: one JSON object a line. It never has an e-mail address, and of an error it has only what a programmer
 * wrote: PostgreSQL adds the values of the row to an error, and Stripe the details of the card. [OPS-25, OPS-27]
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
        streamWrite: (line) => (line.includes('@') ? line.replaceAll(EMAIL, '(address)') : line),
      },
    },
    options.stream ?? pino.destination({ fd: 1, sync: true }),
  );
}

function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return { type: name, message, code, stack, ...(cause !== undefined && { cause: describeError(cause) }) };
}
