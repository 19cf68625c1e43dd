import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FastifyBaseLogger } from 'fastify';
import { ConfigError } from '../settings/kinds.ts';

const RELOAD_MS = 60_000;
const MAX_BYTES = 64 * 1024 * 1024;

export type ListFile = {
  /** Throws ConfigError if the file is unusable. */
  start: () => Promise<void>;
  /** Reads the file if it has changed. Logs a warning and keeps the previous list if it is unusable. */
  reload: () => Promise<void>;
  stop: () => void;
};

export type ListLog = Pick<FastifyBaseLogger, 'info' | 'warn'>;

/**
 * A list in a file of the operator, which is checked every minute and read again when it has changed. `use` takes the
 * text and returns the number of entries; it throws if the text is no such list. Without the file, `unlisted` supplies the
 * list, unless a `setting` names the file.
 */
export function listFile(options: {
  /** The name of the listed things, such as 'data centers'. */
  of: string;
  file: string;
  setting: string | undefined;
  use: (text: string) => Promise<number>;
  unlisted: () => Promise<void>;
  log: ListLog;
}): ListFile {
  const { of, file, setting, use, unlisted, log } = options;
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
      const entries = await use(await readList(file));
      log.info({ file, entries }, `the list of ${of} was loaded`);
    } catch (error) {
      log.warn({ err: error, file }, `the list of ${of} could not be read; the previous list stays in use`);
    }
  }

  return {
    reload,
    start: async () => {
      read = (await stateOfFile()) ?? '';
      if (setting === undefined && read === '') await unlisted();
      else {
        try {
          await use(await readList(file));
        } catch (error) {
          const why = error instanceof Error ? error.message : String(error);
          const name = setting ?? file;
          throw new ConfigError(`${name} cannot be used: ${why}. Fix the file or delete it.`, {
            cause: error,
          });
        }
      }
      timer = setInterval(() => void reload(), RELOAD_MS).unref();
    },
    stop: () => clearInterval(timer),
  };
}

/** Reads a plain or gzip file. */
export async function readList(file: string): Promise<string> {
  const bytes = await readFile(file);
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const text = isGzip ? await promisify(gunzip)(bytes, { maxOutputLength: MAX_BYTES }) : bytes;
  return text.toString('utf8');
}
