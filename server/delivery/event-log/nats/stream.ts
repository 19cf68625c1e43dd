/** The stream's place in NATS: its connection, its rules, its consumer. */
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
/** Where messages are kept that are none of ours. */
export const ASIDE_STREAM = 'OPENSLOT_ASIDE';
export const ASIDE_SUBJECT = 'openslot.aside';
export const CONSUMER = 'openslot-count';

/** About five million events: hours of a database that is away. */
const MAX_BYTES = 1024 ** 3;
const MAX_BYTES_ASIDE = 64 * 1024 ** 2;
/** A copy of the server that says nothing for so long has its messages given to another. */
const ACK_WAIT_MS = 30_000;

/** Connects and sees to it that stream and consumer are there. Throws EventLogUnusable. */
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

/** `nats://user:password@host:4222,nats://host2:4222`; what stands before the first @ goes for all. */
export function connectionOptions(url: string): ConnectionOptions {
  const addresses = url.split(',').map((each) => new URL(each.trim()));
  const { protocol, username, password } = addresses[0] as URL;
  const [name, secret] = [username, password].map(decodeURIComponent) as [string, string];
  return {
    // The client takes no credentials from an address.
    servers: addresses.map(({ hostname, port }) => `${hostname}:${port || '4222'}`),
    ...(secret ? { user: name, pass: secret } : name && { token: name }),
    ...(protocol === 'tls:' && { tls: {} }),
    name: 'openslot',
    timeout: 5000,
    // For ever: while it is away events are refused, and nobody has to start us again.
    maxReconnectAttempts: -1,
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: 250,
    // A server that hangs is given up after ten seconds; the client's own pace would be minutes.
    pingInterval: 5000,
    maxPingOut: 2,
  };
}

/** Makes what is missing; an operator's own stream is taken as it is, if it cannot lose an event. */
export async function ensureStream(connection: NatsConnection, jsm: JetStreamManager): Promise<void> {
  // One copy of a stream is lost with its machine. Where the servers are a cluster, there are three.
  const num_replicas = connection.info?.cluster === undefined ? 1 : 3;
  const config = await findOrAdd(jsm, {
    name: STREAM,
    subjects: [SUBJECT],
    description: 'Views and clicks acknowledged by Openslot and not yet counted',
    storage: StorageType.File,
    // What has been counted is removed; when full the newest is refused, never the oldest dropped.
    retention: RetentionPolicy.Workqueue,
    discard: DiscardPolicy.New,
    max_bytes: MAX_BYTES,
    num_replicas,
  });
  const fault = faultOf(config);
  if (fault) throw new Error(`its stream ${STREAM} ${fault}`);
  await findOrAdd(jsm, {
    name: ASIDE_STREAM,
    subjects: [ASIDE_SUBJECT],
    description: `Messages of ${STREAM} that are no events of Openslot, kept to be looked at`,
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
      // Again and again, until it is counted or set aside.
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

/** What in a stream's rules could lose an acknowledged event. */
function faultOf(config: StreamConfig): string | null {
  if (config.storage !== StorageType.File) return 'is kept in memory, not in files';
  if (config.retention !== RetentionPolicy.Workqueue) return 'has another retention than workqueue';
  if (config.discard !== DiscardPolicy.New) return 'drops old events when it is full (discard must be new)';
  if (config.max_age > 0) return 'drops events by age';
  if (config.no_ack) return 'acknowledges nothing';
  if (!config.subjects.includes(SUBJECT)) return `does not take ${SUBJECT}`;
  return null;
}

function reasonOf(error: unknown): string {
  // The client names the hosts at most, never what stands before the @.
  const text = error instanceof Error ? error.message : String(error);
  if (error instanceof JetStreamApiError) return `the server says "${text}"`;
  return /jetstream is not enabled/i.test(text) ? 'the server has no JetStream' : text.replace(/\.$/, '');
}
