import path from 'node:path';
import { once } from '#domain/once.ts';
import { type ListFile, listFile, type ListLog, readList } from '#server/platform/outbound/list-file.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { includes, type Networks, readNetworks, sizeOf } from './networks.ts';

export const SHIPPED = path.join(import.meta.dirname, 'snapshot.txt.gz');

export type DataCentres = ListFile & {
  /** Whether an address belongs to a data center. Takes about 100 ns. */
  has: (address: string) => boolean;
};

/**
 * The addresses of data centers, from the operator's file or else from the list that Openslot ships. Nothing is
 * downloaded. [DEL-36]
 */
export function createDataCentres(
  config: Pick<Config, 'dataCentresFile' | 'dataDir'>,
  log: ListLog,
): DataCentres {
  const { dataCentresFile } = config;
  let networks: Networks | undefined;
  const list = listFile({
    of: 'data centers',
    file: dataCentresFile ?? path.join(config.dataDir, 'data-centres.txt'),
    setting: dataCentresFile === undefined ? undefined : 'DATA_CENTRES_FILE',
    use: async (text) => sizeOf((networks = await readNetworks(text))),
    unlisted: async () => {
      networks = await readShipped();
    },
    log,
  });
  return { ...list, has: (address) => networks !== undefined && includes(networks, address) };
}

/** The list that Openslot ships. It does not change while the process runs, so all servers of a process share it. */
const readShipped = once(async () => await readNetworks(await readList(SHIPPED)));
