/** The extension as the server uses it. */
import type { EventLogExtension } from '../../server/delivery/event-log/extension.ts';
import { createCondition } from './condition.ts';
import { natsEventLog } from './nats-event-log.ts';
import { oldestInStream, openStream } from './stream.ts';

const UNSYNCED =
  'NATS answers. Not every server that keeps the stream is known to sync each message to its disk: set sync_interval to always (NATS 2.10 or newer), and EVENT_LOG_MONITOR_URL to the monitoring addresses of all.';

export const NATS: EventLogExtension = {
  open: ({ config, installation }, parts) =>
    natsEventLog({
      ...parts,
      url: urlOf(config),
      bytes: config.eventLogBytes,
      condition: {
        installation,
        monitorUrls: config.eventLogMonitorUrls ?? [],
        production: config.production,
      },
    }),
  oldestWaiting: async ({ config, installation }) => await oldestInStream(urlOf(config), { installation }),
  check: async ({ config, installation }) => {
    const { eventLogMonitorUrls: monitorUrls = [], production } = config;
    const stream = await openStream(urlOf(config), { installation });
    try {
      const ask = createCondition({ installation, monitorUrls, production });
      const { problem, unsynced } = await ask(stream);
      if (problem !== null) return { state: 'fail', text: problem };
      return unsynced
        ? { state: 'warn', text: UNSYNCED }
        : { state: 'ok', text: 'NATS answers, and syncs each message to its disk.' };
    } finally {
      await stream.connection.close();
    }
  },
};

/** The server asks for this extension only if the setting has a value. */
const urlOf = ({ eventLogUrl }: { eventLogUrl?: string | undefined }): string => eventLogUrl ?? '';
