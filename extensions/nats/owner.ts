/** Two installations on one stream would count each other's events, so the stream's description names its owner. */
import type { JetStreamManager, StreamConfig } from '@nats-io/jetstream';
import { EventLogUnusable } from '../../server/delivery/event-log/event-log.ts';

// NATS 2.9 has no metadata of streams.
const OWNER = / ?Installation ([0-9a-f-]{36})$/;

export function describeOwned(description: string, installation: string | undefined): string {
  return installation === undefined
    ? description
    : `${description.replace(OWNER, '')} Installation ${installation}`.trim();
}

/** A sentence if the stream belongs to another installation than this; else null. */
export function findOwnerProblem(
  { name, description = '' }: StreamConfig,
  installation: string,
): string | null {
  const owner = OWNER.exec(description)?.[1];
  if (owner === undefined || owner === installation) return null;
  return `EVENT_LOG_URL leads to the stream ${name} of another installation of Openslot. Set EVENT_LOG_URL to NATS servers or an account of its own. If that installation is gone for good, remove the stream (nats stream rm ${name}), and the next start makes a new one.`;
}

/** Makes a stream without an owner that of this installation. Throws EventLogUnusable if it is that of another one. */
export async function claimStream(
  jsm: JetStreamManager,
  config: StreamConfig,
  installation: string,
): Promise<void> {
  let found = config;
  if (!OWNER.test(found.description ?? '')) {
    const description = describeOwned(found.description ?? '', installation);
    await jsm.streams.update(found.name, { description });
    // Another installation may have done the same at this moment.
    found = (await jsm.streams.info(found.name)).config;
  }
  const problem = findOwnerProblem(found, installation);
  if (problem !== null) throw new EventLogUnusable(problem);
}
