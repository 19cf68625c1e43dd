/** Opens the connection to NATS, and creates or checks the stream and its consumers. */
import {
  AckPolicy,
  type ConsumerInfo,
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
import { DEFAULT_BYTES } from './settings.ts';
import { EventLogUnusable } from '../../server/delivery/event-log/event-log.ts';
import { claimStream, describeOwned } from './owner.ts';

export const STREAM = 'OPENSLOT_EVENTS';
/** The subject of the events of a partition. */
export const subjectOf = (partition: number): string => `openslot.events.${partition}`;
export const partitionOfSubject = (subject: string): number => Number(subject.split('.').at(-1));
/** The consumer from which the owner of a partition reads. */
export const consumerOf = (partition: number): string => `openslot-count-${partition}`;
const SUBJECTS = 'openslot.events.*';
/** The stream for messages that are not valid events. */
export const ASIDE_STREAM = 'OPENSLOT_ASIDE';
export const ASIDE_SUBJECT = 'openslot.aside';

const MAX_BYTES_ASIDE = 64 * 1024 ** 2;
/** The stream gives the messages that a stopped server had fetched to the next owner of their partition after this time. */
const ACK_WAIT_MS = 8000;

export type StreamOptions = {
  /** The id of the installation that owns the stream. If absent, the stream gets no owner. */
  installation?: string | undefined;
  /** EVENT_LOG_BYTES. If absent, a new stream has the default size, and one that exists keeps its own. */
  bytes?: number | undefined;
};

export type OpenStream = { connection: NatsConnection; jsm: JetStreamManager };

/** Connects, and creates the streams if they are missing. Throws EventLogUnusable. */
export async function openStream(url: string, options: StreamOptions = {}): Promise<OpenStream> {
  let connection: NatsConnection | undefined;
  try {
    connection = await connect(connectionOptions(url));
    const jsm = await jetstreamManager(connection, { timeout: 10_000 });
    await ensureStream(connection, jsm, options);
    return { connection, jsm };
  } catch (error) {
    await connection?.close();
    if (error instanceof EventLogUnusable) throw error;
    throw new EventLogUnusable(`EVENT_LOG_URL cannot be used: ${reasonOf(error)}.`);
  }
}

/** By partition, up to which place all messages of the stream are counted. */
export async function findProgress(
  { jsm }: OpenStream,
  partitions: readonly number[],
): Promise<Map<number, number>> {
  const found = new Map<string, number>();
  for await (const info of jsm.consumers.list(STREAM)) {
    const allCounted = info.num_pending === 0 && info.num_ack_pending === 0;
    found.set(info.name, allCounted ? Infinity : info.ack_floor.stream_seq);
  }
  return new Map(partitions.map((partition) => [partition, found.get(consumerOf(partition)) ?? -1]));
}

/** The part of the stream that stays free. */
const RESERVE = 1 / 16;

/**
 * Whether the stream has no room for more. NATS compares max_bytes with the payload of a message alone: it accepts one
 * whose record does not fit, and drops the oldest message for it. So this server stops before.
 */
export async function hasNoRoom({ jsm }: OpenStream): Promise<boolean> {
  const { config, state } = await jsm.streams.info(STREAM);
  return config.max_bytes > 0 && state.bytes > config.max_bytes * (1 - RESERVE);
}

/** Whether the stream has events that are not counted yet. */
export async function hasMessages({ jsm }: OpenStream): Promise<boolean> {
  return (await jsm.streams.info(STREAM)).state.messages > 0;
}

/** When the oldest message of the stream arrived; null if it has none. Throws EventLogUnusable. */
export async function oldestInStream(url: string, options: StreamOptions): Promise<Date | null> {
  const { connection, jsm } = await openStream(url, options);
  try {
    const { state } = await jsm.streams.info(STREAM);
    return state.messages > 0 ? new Date(state.first_ts) : null;
  } finally {
    await connection.close();
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

/** Creates the streams if they are missing. Throws if an existing stream could lose an acknowledged event. */
export async function ensureStream(
  connection: NatsConnection,
  jsm: JetStreamManager,
  { installation, bytes }: StreamOptions = {},
): Promise<void> {
  // A single replica is lost with its machine, so a cluster keeps three.
  const num_replicas = connection.info?.cluster === undefined ? 1 : 3;
  const found = await findOrAdd(jsm, {
    name: STREAM,
    subjects: [SUBJECTS],
    description: describeOwned(
      'Views and clicks acknowledged by Openslot and not yet counted.',
      installation,
    ),
    storage: StorageType.File,
    // Counted messages are removed. A full stream rejects new messages instead of dropping old ones.
    retention: RetentionPolicy.Workqueue,
    discard: DiscardPolicy.New,
    max_bytes: bytes ?? DEFAULT_BYTES,
    num_replicas,
  });
  if (installation !== undefined) await claimStream(jsm, found, installation);
  const fault = faultOf(found);
  if (fault) throw new Error(`the stream ${STREAM} ${fault}`);
  if (bytes !== undefined && found.max_bytes !== bytes) await resize(jsm, bytes);
  await findOrAdd(jsm, {
    name: ASIDE_STREAM,
    subjects: [ASIDE_SUBJECT],
    description: `Messages of ${STREAM} that are not valid events, kept for inspection`,
    storage: StorageType.File,
    discard: DiscardPolicy.Old,
    max_bytes: MAX_BYTES_ASIDE,
    num_replicas,
  });
}

export async function ensureConsumer(jsm: JetStreamManager, name: string, subject: string): Promise<void> {
  try {
    const info = await jsm.consumers.info(STREAM, name);
    if (info.config.filter_subject !== subject)
      await jsm.consumers.update(STREAM, name, { filter_subject: subject });
    if (!(await isAhead(jsm, info, subject))) return;
    await jsm.consumers.delete(STREAM, name);
  } catch (error) {
    if (!isCode(error, JetStreamApiCodes.ConsumerNotFound)) throw error;
  }
  await jsm.consumers.add(STREAM, {
    durable_name: name,
    filter_subject: subject,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(ACK_WAIT_MS),
    // Deliver each message until it is counted or set aside.
    max_deliver: -1,
  });
}

/**
 * NATS numbers messages from 1 again after it has lost the end of its files, for example on a full disk. A consumer never
 * delivers the numbers that it has delivered before. A new one does, and what was counted changes no counter.
 */
async function isAhead(
  jsm: JetStreamManager,
  { delivered, ack_floor: floor }: ConsumerInfo,
  subject: string,
): Promise<boolean> {
  const { state } = await jsm.streams.info(STREAM);
  if (delivered.stream_seq > state.last_seq) return true;
  // A counted message has been removed. The types of the client do not know this question, which NATS answers since 2.9.
  const firstOfSubject = { seq: 1, next_by_subj: subject };
  const first = await jsm.streams.getMessage(STREAM, firstOfSubject);
  return first !== null && first.seq <= floor.stream_seq;
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

/** A stream that is made smaller than what it holds could drop events that were acknowledged. */
async function resize(jsm: JetStreamManager, bytes: number): Promise<void> {
  const { state } = await jsm.streams.info(STREAM);
  if (state.bytes > bytes)
    throw new EventLogUnusable(
      `EVENT_LOG_BYTES is ${bytes}, but the stream ${STREAM} holds ${state.bytes} bytes of events that are not counted yet. Set EVENT_LOG_BYTES higher, or wait until they are counted.`,
    );
  await jsm.streams.update(STREAM, { max_bytes: bytes });
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
  if (!config.subjects.includes(SUBJECTS)) return `does not accept ${SUBJECTS}; add it to its subjects`;
  return null;
}

function reasonOf(error: unknown): string {
  // The client's messages may name hosts, but never the credentials before the @.
  const text = error instanceof Error ? error.message : String(error);
  if (error instanceof JetStreamApiError) {
    const way = /storage|resource/i.test(text)
      ? '; lower EVENT_LOG_BYTES, or raise max_file_store of the NATS server'
      : '';
    return `the server says "${text}"${way}`;
  }
  return /jetstream is not enabled/i.test(text)
    ? 'JetStream is not enabled on the NATS server'
    : text.replace(/\.$/, '');
}
