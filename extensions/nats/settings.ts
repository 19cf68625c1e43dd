import { z } from 'zod';
import { listOf, webOrigin, wholeNumber } from '../../server/platform/settings/kinds.ts';

/** Accepts an address for each server, all with the same protocol. */
const addresses = z.string().refine((list) => {
  const urls = list.split(',').map((each) => URL.parse(each.trim()));
  const kinds = new Set(
    urls.map((url) => (url?.hostname && /^\/?$/.test(url.pathname) ? url.protocol : null)),
  );
  return kinds.size === 1 && (kinds.has('nats:') || kinds.has('tls:'));
}, 'must be a nats:// or tls:// address, or several separated by commas');

export const DEFAULT_BYTES = 1024 ** 3;

export const NATS_SETTINGS = {
  /** If absent, events are written directly to PostgreSQL. */
  EVENT_LOG_URL: {
    field: 'eventLogUrl',
    schema: addresses.optional(),
    secret: 'address with token',
    default: 'none: PostgreSQL',
    guide:
      'NATS servers with JetStream for views and clicks: `nats://user:password@host:4222,nats://host2`, or `tls://`. Use the same value on every instance. See [extensions/nats](../extensions/nats/README.md).',
  },
  EVENT_LOG_MONITOR_URL: {
    field: 'eventLogMonitorUrls',
    schema: listOf(webOrigin).optional(),
    guide:
      'The monitoring addresses of all these NATS servers, `http://host:8222,http://host2:8222`, from which the server learns about `sync_interval`. Production needs it with a single NATS server.',
  },
  /** If absent, a stream that exists keeps its size. */
  EVENT_LOG_BYTES: {
    field: 'eventLogBytes',
    schema: wholeNumber('bytes', 1024 ** 2, 1024 ** 5).optional(),
    default: `\`${DEFAULT_BYTES}\``,
    guide:
      'The size of the stream of events in NATS, from 1 MiB: 1 GiB is room for about five million events. A stream that exists keeps its size until you set this. Use the same value on every instance.',
  },
} as const;
