import { randomBytes } from 'node:crypto';

const maxAgeMillis = 3_600_000;

/** A name that contains the time, so that a later run can drop the database if this run is killed. */
export function newDatabaseName(now: number): string {
  return `test_${now.toString(36)}_${randomBytes(8).toString('hex')}`;
}

/** Whether this is a test database that is too old to be in use. */
export function isForgotten(name: string, now: number): boolean {
  const createdAt = /^test_([0-9a-z]+)_[0-9a-f]{16}$/.exec(name)?.[1];
  return createdAt !== undefined && now - parseInt(createdAt, 36) > maxAgeMillis;
}

/** The address of another database on the same server. */
export function addressOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}
