import { inject } from 'vitest';
import { sharedConnection } from './shared-connection.ts';
import { addressOf, newDatabaseName } from '../temporary.ts';

const INSUFFICIENT_PRIVILEGE = '42501';

export interface TestDatabase {
  /** The address with which a server works. */
  url: string;
  /** The address with the role that owns the tables. It can turn guards off, truncate and analyze. */
  ownerUrl: string;
  drop(): Promise<void>;
}

/** Creates an empty, migrated database for one test file. Drop it in afterAll, after you have closed its pools. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return await create(`template ${inject('templateDatabase')} strategy file_copy`);
}

/** The same without any table. */
export async function createBareDatabase(): Promise<TestDatabase> {
  return await create('');
}

async function create(how: string): Promise<TestDatabase> {
  const name = newDatabaseName(Date.now());
  await onServer(`create database ${name} ${how}`);
  // A copy does not have the rights of the template's database.
  await onServer(`revoke temporary on database ${name} from public`);
  return {
    url: addressOf(inject('serverUrl'), name),
    ownerUrl: addressOf(inject('ownerUrl'), name),
    drop: async () => {
      await onServer(waitForDisconnects(name));
      try {
        await onServer(`drop database if exists ${name} with (force)`);
      } catch (error) {
        if ((error as { code?: string }).code !== INSUFFICIENT_PRIVILEGE) throw error;
        // An autovacuum is running. Our role may not end it; a drop without force asks PostgreSQL to.
        await onServer(`drop database if exists ${name}`);
      }
    },
  };
}

/**
 * SQL that waits up to 5 s until the sessions of closed pools are gone. A pool's `end()` resolves slightly before that,
 * and a connection that is terminated while it closes raises an unhandled error in the test run.
 */
function waitForDisconnects(name: string): string {
  return `do $$ begin
    for attempt in 1..500 loop
      perform pg_stat_clear_snapshot();
      exit when not exists (select from pg_stat_activity where datname = '${name}');
      perform pg_sleep(0.01);
    end loop;
  end $$`;
}

const connection = sharedConnection(() => inject('ownerUrl'));

async function onServer(sql: string): Promise<void> {
  await (await connection()).query(sql);
}
