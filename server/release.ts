import { readFileSync } from 'node:fs';

/** The number of this release, MAJOR.MINOR.PATCH: the version of package.json. [OPS-01] */
export const RELEASE = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version;
