import type { DatabaseAddresses } from '#server/operations/backup/load.ts';
import type { Config } from '#server/platform/settings/config.ts';
import type { Context } from '#server/platform/context.ts';
import type { Options, Outcome } from '../acts/command.ts';

/** The parts that the command line opens only for the commands that need them. Each is closed when `act` ends. */
export type Opened = {
  config: () => Promise<Config>;
  /** An installation, with its addresses. */
  withContext: <T>(act: (ctx: Context, addresses: DatabaseAddresses) => Promise<T>) => Promise<T>;
  /** A database that may be empty, or may not have been created yet. */
  withDatabase: <T>(act: (addresses: DatabaseAddresses) => Promise<T>) => Promise<T>;
  /** Says how far it is, beside the answer. */
  log: (line: string) => void;
};

/** A command that opens by itself what it needs. It has no dry run. */
export type OwnCommand = {
  usage: string;
  summary: string;
  run: (opened: Opened, options: Options) => Promise<Outcome>;
};
