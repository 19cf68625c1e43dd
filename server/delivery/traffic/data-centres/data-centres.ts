import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { once } from '#domain/once.ts';
import { type Config, ConfigError } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import { includes, type Networks, readNetworks, sizeOf } from './networks.ts';

export const SHIPPED = path.join(import.meta.dirname, 'snapshot.txt.gz');
const RELOAD_MS = 60_000;
const MAX_BYTES = 64 * 1024 * 1024;

export type DataCentres = {
  /** Whether an address belongs to a data center. Takes about 100 ns. */
  has: (address: string) => boolean;
  /** Throws ConfigError if the operator's file is unusable. */
  start: () => Promise<void>;
  /** Reads the operator's file if it has changed. Logs a warning and keeps the previous list if it is unusable. */
  reload: () => Promise<void>;
  stop: () => void;
};

/**
 * The addresses of data centers, from the operator's file or else from the list that Openslot ships. The file is
 * checked every minute and read again when it has changed. Nothing is downloaded. [DEL-36, DEL-37]
 */
export function createDataCentres(
  config: Pick<Config, 'dataCentresFile' | 'dataDir'>,
  log: Pick<Context['log'], 'info' | 'warn'>,
): DataCentres {
  const { dataCentresFile } = config;
  const file = dataCentresFile ?? path.join(config.dataDir, 'data-centres.txt');
  let networks: Networks | undefined;
  let read = '';
  let timer: NodeJS.Timeout | undefined;

  /** Identifies the current state of the file; null if there is no file. */
  async function stateOfFile(): Promise<string | null> {
    const found = await stat(file).catch(() => null);
    return found && `${found.ino} ${found.size} ${found.mtimeMs}`;
  }

  async function reload(): Promise<void> {
    const state = await stateOfFile();
    if (state === null || state === read) return;
    read = state;
    try {
      networks = await readList(file);
      log.info({ file, networks: sizeOf(networks) }, 'the list of data centers was loaded');
    } catch (error) {
      log.warn(
        { err: error, file },
        'the list of data centers could not be read; the previous list stays in use',
      );
    }
  }

  return {
    has: (address) => networks !== undefined && includes(networks, address),
    reload,
    start: async () => {
      read = (await stateOfFile()) ?? '';
      if (dataCentresFile === undefined && read === '') networks = await readShipped();
      else
        networks = await readList(file).catch(
          explain(dataCentresFile === undefined ? file : 'DATA_CENTRES_FILE'),
        );
      timer = setInterval(() => void reload(), RELOAD_MS).unref();
    },
    stop: () => clearInterval(timer),
  };
}

function explain(name: string): (error: unknown) => never {
  return (error) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`${name} cannot be used: ${why}. Fix the file or delete it.`, { cause: error });
  };
}

/** The list that Openslot ships. It does not change while the process runs, so all servers of a process share it. */
const readShipped = once(() => readList(SHIPPED));

/** Reads a plain or gzip file. */
async function readList(file: string): Promise<Networks> {
  const bytes = await readFile(file);
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const text = isGzip ? await promisify(gunzip)(bytes, { maxOutputLength: MAX_BYTES }) : bytes;
  return readNetworks(text.toString('utf8'));
}
