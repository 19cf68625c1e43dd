import { readFileSync } from 'node:fs';
import { SETTINGS } from './environment.ts';
import type { Row } from './row.ts';

/** The settings that name the files of others. */
const rows: Readonly<Record<string, Row>> = SETTINGS;

export const FILE_SETTINGS = Object.keys(rows)
  .filter((name) => rows[name]?.secret)
  .map((name) => `${name}_FILE`);

/**
 * Reads the secrets that are given as files: SESSION_SECRET_FILE names the file with the value of SESSION_SECRET. One
 * newline at the end does not belong to the value. Returns the values by the name of their setting, and a sentence for
 * each file that cannot be used.
 */
export function readSecretFiles(given: Readonly<Record<string, string | undefined>>): {
  values: Record<string, string>;
  wrong: string[];
} {
  const values: Record<string, string> = {};
  const wrong: string[] = [];
  for (const fileSetting of FILE_SETTINGS) {
    const file = given[fileSetting];
    if (file === undefined) continue;
    const name = fileSetting.replace(/_FILE$/, '');
    if (given[name] !== undefined) {
      wrong.push(`${name} and ${fileSetting} are both set. Unset one of them.`);
      continue;
    }
    try {
      const value = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
      if (value === '') wrong.push(`${fileSetting} is an empty file. Write the value of ${name} to ${file}.`);
      else values[name] = value;
    } catch (error) {
      const { code } = error as { code?: string };
      wrong.push(`${fileSetting} must be a file that can be read (${code}): ${file}.`);
    }
  }
  return { values, wrong };
}

/** The value as it may be shown: of a secret only whether it is set, and addresses without their passwords. */
export function withoutSecrets(name: string, value: string | null): string | null {
  if (rows[name]?.secret === 'value') return value === null ? 'unset' : 'set';
  const isToken = rows[name]?.secret === 'address with token';
  return (
    value
      ?.replaceAll(/(\w+:\/\/)([^/?#\s]*)@/g, (_all, scheme: string, person: string) =>
        person.includes(':')
          ? `${scheme}${person.split(':', 1)[0]}:***@`
          : `${scheme}${isToken ? '***' : person}@`,
      )
      .replaceAll(/([?&][^=&#]*(?:pass|secret|token|key)[^=&#]*=)[^&#\s,]*/gi, '$1***') ?? null
  );
}
