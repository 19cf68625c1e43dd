import { sql } from 'kysely';
import { DAY_MS, HOUR_MS } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { isPublicAddress } from '#domain/public-host.ts';

/** A request came with X-Forwarded-For from a peer that TRUSTED_PROXIES does not name. */
export type UntrustedForwarding = {
  /** The peer, if its address is private or loopback, so probably a proxy. A public address may be a visitor's. */
  peer: string | null;
  seenAt: Date;
};

/**
 * Warns about X-Forwarded-For from peers that TRUSTED_PROXIES does not name: once in the log, and once an hour in the
 * database, where `openslot doctor` finds it. Such a peer is either a proxy that the operator forgot to name, and then all
 * visitors seem to be one, or a client that tries to lie about its address.
 */
export function createForwardingNotice({ db, log, realNow }: Pick<Context, 'db' | 'log' | 'realNow'>) {
  let peerToWrite: string | null | undefined;
  let writtenAtMs = -Infinity;
  let isWarned = false;

  return {
    /** Called for every such request, so it returns at once if there is nothing new. */
    note: (address: string): void => {
      if (realNow().getTime() - writtenAtMs < HOUR_MS) return;
      writtenAtMs = realNow().getTime();
      peerToWrite = isPublicAddress(address) ? null : address;
      if (isWarned) return;
      isWarned = true;
      log.warn(
        { peer: peerToWrite },
        peerToWrite === null
          ? 'a public client sent X-Forwarded-For, which is ignored; if it is your proxy, name it in TRUSTED_PROXIES'
          : 'X-Forwarded-For is ignored, because TRUSTED_PROXIES does not name this peer; if it is your proxy, name it there, or all visitors seem to be one and most of their views do not count',
      );
    },
    async flush(): Promise<void> {
      if (peerToWrite === undefined) return;
      const peer = peerToWrite;
      peerToWrite = undefined;
      try {
        await sql`
          insert into untrusted_forwarding (peer, seen_at) values (${peer ?? ''}, ${realNow()})
            on conflict (peer) do update set seen_at = excluded.seen_at`.execute(db);
      } catch (error) {
        peerToWrite = peer;
        throw error;
      }
    },
  };
}

/** The untrusted peers that any instance noticed in the last day, for `openslot doctor`. Probable proxies come first. */
export async function findUntrustedForwarding(tx: Tx, now: Date): Promise<UntrustedForwarding[]> {
  const { rows } = await sql<UntrustedForwarding>`
    select nullif(peer, '') as peer, seen_at from untrusted_forwarding
      where seen_at > ${new Date(now.getTime() - DAY_MS)}
      order by peer = '', seen_at desc
      limit 20`.execute(tx);
  return rows;
}

/** Part of the job 'remove-expired'. */
export async function removeOldForwarding({ db, realNow }: Pick<Context, 'db' | 'realNow'>): Promise<void> {
  await sql`delete from untrusted_forwarding where seen_at <= ${new Date(realNow().getTime() - DAY_MS)}`.execute(
    db,
  );
}
