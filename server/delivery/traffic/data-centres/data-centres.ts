import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type Config, ConfigError } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import { includes, type Networks, readNetworks, sizeOf } from './networks.ts';

export const SHIPPED = path.join(import.meta.dirname, 'snapshot.txt.gz');
const LOOK_MS = 60_000;
const MAX_BYTES = 64 * 1024 * 1024;

export type DataCentres = {
  /** Whether an address belongs to a data centre. About 100 ns. */
  has: (address: string) => boolean;
  /** Throws ConfigError where the file that the operator named cannot be used. */
  start: () => Promise<void>;
  /** Reads the operator's file where it is new. What cannot be used is reported, and changes nothing. */
  look: () => Promise<void>;
  stop: () => void;
};

/**
 * The addresses of data centres: the operator's file, or else the list that Openslot comes with. The file is looked at
 * every minute and read again when it has changed; nothing is ever fetched.
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

  /** Which state of the file there is; null where there is none. */
  async function stateOfFile(): Promise<string | null> {
    const found = await stat(file).catch(() => null);
    return found && `${found.ino} ${found.size} ${found.mtimeMs}`;
  }

  async function look(): Promise<void> {
    const state = await stateOfFile();
    if (state === null || state === read) return;
    read = state;
    try {
      networks = await readList(file);
      log.info({ file, networks: sizeOf(networks) }, 'the addresses of data centres were read');
    } catch (error) {
      log.warn(
        { err: error, file },
        'the addresses of data centres could not be read; the former list stays',
      );
    }
  }

  return {
    has: (address) => networks !== undefined && includes(networks, address),
    look,
    start: async () => {
      read = (await stateOfFile()) ?? '';
      if (dataCentresFile === undefined && read === '') networks = await readList(SHIPPED);
      else
        networks = await readList(file).catch(
          explain(dataCentresFile === undefined ? file : 'DATA_CENTRES_FILE'),
        );
      timer = setInterval(() => void look(), LOOK_MS).unref();
    },
    stop: () => clearInterval(timer),
  };
}

function explain(name: string): (error: unknown) => never {
  return (error) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`${name} cannot be used: ${why}. Delete or mend it.`, { cause: error });
  };
}

/** Plain or gzip. */
async function readList(file: string): Promise<Networks> {
  const bytes = await readFile(file);
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const text = isGzip ? await promisify(gunzip)(bytes, { maxOutputLength: MAX_BYTES }) : bytes;
  return readNetworks(text.toString('utf8'));
}
