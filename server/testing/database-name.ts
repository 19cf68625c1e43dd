import { randomBytes } from 'node:crypto';

const maxAgeMillis = 3_600_000;

/** A name that tells when it was given, so that a later run can drop what a killed one left. */
export function newDatabaseName(now: number): string {
  return `test_${now.toString(36)}_${randomBytes(8).toString('hex')}`;
}

/** Whether this is a test database that no run can still be using. */
export function isForgotten(name: string, now: number): boolean {
  const givenAt = /^test_([0-9a-z]+)_[0-9a-f]{16}$/.exec(name)?.[1];
  return givenAt !== undefined && now - parseInt(givenAt, 36) > maxAgeMillis;
}
