import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { type OpenStream, openStream, type StreamOptions } from './stream.ts';

const DRAIN_MS = 2000;

/** The connection to NATS. It reconnects by itself. */
export type NatsConnection = ReturnType<typeof createNatsConnection>;

export function createNatsConnection(url: string, options: StreamOptions, log: FastifyBaseLogger) {
  let stream: OpenStream | null = null;
  let connected = false;
  let stopping = false;

  async function open(): Promise<OpenStream> {
    stream ??= await openStream(url, options);
    return stream;
  }

  return {
    open,

    /** Opens the stream, and counts the connection as there from now on. */
    connect: async (): Promise<OpenStream> => {
      const opened = await open();
      connected = true;
      return opened;
    },

    /** Null while NATS is away, and before `connect`. */
    reachable: (): OpenStream | null => (connected ? stream : null),

    /** Follows whether NATS is away, and calls `onBack` when it was. */
    follow: async ({ connection }: OpenStream, onBack: () => void): Promise<void> => {
      for await (const { type } of connection.status()) {
        if (type === 'disconnect') {
          connected = false;
          if (!stopping) log.error('the event log is unavailable; views get 503 until it is back');
        } else if (type === 'reconnect') {
          connected = true;
          log.warn('the event log is available again');
          onBack();
        }
      }
    },

    /** From now on, it is no fault if the connection ends. */
    expectEnd: (): void => {
      stopping = true;
    },

    close: async (): Promise<void> => {
      await Promise.race([stream?.connection.drain(), pause(DRAIN_MS, undefined, { ref: false })]).catch(
        () => {},
      );
      await stream?.connection.close();
    },
  };
}
