/**
 * The extensions: packages of this repository, below extensions/, with dependencies of their own. An installation that does
 * not use one needs none of these. This list is all that the server knows of them.
 */
import { NATS_SETTINGS } from '../../extensions/nats/settings.ts';

/** Rows of the environment, beside those of server/platform/settings/environment.ts. */
export const EXTENSION_SETTINGS = { ...NATS_SETTINGS };

/** The event logs in place of PostgreSQL. `folder` is below extensions/. `load` needs the packages of the extension. */
export const EVENT_LOGS = [
  {
    folder: 'nats',
    isChosen: ({ eventLogUrl }: { eventLogUrl?: string | undefined }): boolean => eventLogUrl !== undefined,
    load: async () => (await import('../../extensions/nats/extension.ts')).NATS,
  },
];
