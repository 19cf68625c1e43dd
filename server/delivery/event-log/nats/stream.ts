/** Opens the connection to NATS, and creates or checks the stream and its consumer. */
import {
  AckPolicy,
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';
import { connect, type ConnectionOptions, type NatsConnection, nanos } from '@nats-io/transport-node';
import { EventLogUnusable } from '../event-log.ts';

export const STREAM = 'OPENSLOT_EVENTS';
export const SUBJECT = 'openslot.events';
/** The stream for messages that are not valid events. */
export const ASIDE_STREAM = 'OPENSLOT_ASIDE';
export const ASIDE_SUBJECT = 'openslot.aside';
export const CONSUMER = 'openslot-count';

/** Room for about five million events, enough for hours without a database. */
const MAX_BYTES = 1024 ** 3;
const MAX_BYTES_ASIDE = 64 * 1024 ** 2;
/** The stream gives unacknowledged messages to another server after this time. */
const ACK_WAIT_MS = 30_000;

/** Connects, and creates the stream and its consumer if they are missing. Throws EventLogUnusable. */
export async function openStream(
  url: string,
): Promise<{ connection: NatsConnection; jsm: JetStreamManager }> {
  let connection: NatsConnection | undefined;
  try {
    connection = await connect(connectionOptions(url));
    const jsm = await jetstreamManager(connection, { timeout: 10_000 });
    await ensureStream(connection, jsm);
    return { connection, jsm };
  } catch (error) {
    await connection?.close();
    throw new EventLogUnusable(`EVENT_LOG_URL cannot be used: ${reasonOf(error)}.`);
  }
}

/** Parses `nats://user:password@host:4222,nats://host2:4222`. The credentials of the first address apply to all. */
export function connectionOptions(url: string): ConnectionOptions {
  const addresses = url.split(',').map((each) => new URL(each.trim()));
  const { protocol, username, password } = addresses[0] as URL;
  const [name, secret] = [username, password].map(decodeURIComponent) as [string, string];
  return {
    // The client does not read credentials from an address, so they are passed separately.
    servers: addresses.map(({ hostname, port }) => `${hostname}:${port || '4222'}`),
    ...(secret ? { user: name, pass: secret } : name && { token: name }),
    ...(protocol === 'tls:' && { tls: {} }),
    name: 'openslot',
    timeout: 5000,
    // Reconnect forever. Events are rejected meanwhile, and the operator need not restart this server.
    maxReconnectAttempts: -1,
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: 250,
    // Give up a hanging server after ten seconds. The client's defaults would take minutes.
    pingInterval: 5000,
    maxPingOut: 2,
  };
}

/** Creates the streams and the consumer if missing. Throws if an existing stream could lose an acknowledged event. */
export async function ensureStream(connection: NatsConnection, jsm: JetStreamManager): Promise<void> {
  // A single replica is lost with its machine, so a cluster keeps three.
  const num_replicas = connection.info?.cluster === undefined ? 1 : 3;
  const config = await findOrAdd(jsm, {
    name: STREAM,
    subjects: [SUBJECT],
    description: 'Views and clicks acknowledged by Openslot and not yet counted',
    storage: StorageType.File,
    // Counted messages are removed. A full stream rejects new messages instead of dropping old ones.
    retention: RetentionPolicy.Workqueue,
    discard: DiscardPolicy.New,
    max_bytes: MAX_BYTES,
    num_replicas,
  });
  const fault = faultOf(config);
  if (fault) throw new Error(`the stream ${STREAM} ${fault}`);
  await findOrAdd(jsm, {
    name: ASIDE_STREAM,
    subjects: [ASIDE_SUBJECT],
    description: `Messages of ${STREAM} that are not valid events, kept for inspection`,
    storage: StorageType.File,
    discard: DiscardPolicy.Old,
    max_bytes: MAX_BYTES_ASIDE,
    num_replicas,
  });
  await jsm.consumers.info(STREAM, CONSUMER).catch(async (error: unknown) => {
    if (!isCode(error, JetStreamApiCodes.ConsumerNotFound)) throw error;
    return await jsm.consumers.add(STREAM, {
      durable_name: CONSUMER,
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(ACK_WAIT_MS),
      // Deliver each message until it is counted or set aside.
      max_deliver: -1,
    });
  });
}

async function findOrAdd(
  jsm: JetStreamManager,
  wanted: Partial<StreamConfig> & { name: string },
): Promise<StreamConfig> {
  try {
    return (await jsm.streams.info(wanted.name)).config;
  } catch (error) {
    if (!isCode(error, JetStreamApiCodes.StreamNotFound)) throw error;
    return (await jsm.streams.add(wanted)).config;
  }
}

function isCode(error: unknown, code: JetStreamApiCodes): boolean {
  return error instanceof JetStreamApiError && error.code === code;
}

/** Why the stream's settings could lose an acknowledged event, and what to change; null if they could not. */
function faultOf(config: StreamConfig): string | null {
  if (config.storage !== StorageType.File) return 'is kept in memory; set its storage to file';
  if (config.retention !== RetentionPolicy.Workqueue)
    return 'has the wrong retention; set its retention to workqueue';
  if (config.discard !== DiscardPolicy.New)
    return 'drops old events when it is full; set its discard policy to new';
  if (config.max_age > 0) return 'drops events by age; set its max_age to 0';
  if (config.no_ack) return 'does not acknowledge messages; set its no_ack to false';
  if (!config.subjects.includes(SUBJECT)) return `does not accept ${SUBJECT}; add it to its subjects`;
  return null;
}

function reasonOf(error: unknown): string {
  // The client's messages may name hosts, but never the credentials before the @.
  const text = error instanceof Error ? error.message : String(error);
  if (error instanceof JetStreamApiError) return `the server says "${text}"`;
  return /jetstream is not enabled/i.test(text)
    ? 'JetStream is not enabled on the NATS server'
    : text.replace(/\.$/, '');
}
