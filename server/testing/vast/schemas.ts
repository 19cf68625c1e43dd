/** The schemas that validate our VAST documents. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { validateXML } from 'xmllint-wasm';

/**
 * The IAB's own schema. Its license (CC BY-NC-ND) doesn't allow us to include it in free software. So we fetch it at
 * this commit, check its hash and store it outside the repository.
 */
const ADDRESS =
  'https://raw.githubusercontent.com/InteractiveAdvertisingBureau/vast/ec2a7cebd2c451a5d482a83f2ba47afaecf115bd/vast_4.2.xsd';
const SHA256 = '4768cdea609af2c80b4503a84eae6ee18cee299316e11816de9eac24598308c2';
const CACHED = path.resolve(import.meta.dirname, '../../../.cache/vast/vast_4.2.xsd');

export type Schema = { name: string; text: string };

/** Our schema, and the IAB's if it is available. If not, the name of ours says so in the list of tests. */
export async function vastSchemas(): Promise<Schema[]> {
  const ours = await readFile(path.join(import.meta.dirname, 'what-we-send.xsd'), 'utf8');
  const theirs = await iabSchema();
  if (theirs === null) {
    console.warn(
      `NOT RUN: VAST against the IAB's own schema. Put vast_4.2.xsd into ${path.dirname(CACHED)}.`,
    );
    return [{ name: 'ours (the IAB’s NOT RUN)', text: ours }];
  }
  return [
    { name: 'ours', text: ours },
    { name: 'the IAB’s', text: theirs },
  ];
}

async function iabSchema(): Promise<string | null> {
  const known = await readFile(CACHED).catch(() => null);
  if (known && isIt(known)) return known.toString();
  const answer = await fetch(ADDRESS, { signal: AbortSignal.timeout(5000) }).catch(() => null);
  const bytes = answer?.ok ? Buffer.from(await answer.arrayBuffer()) : null;
  if (!bytes || !isIt(bytes)) return null;
  await mkdir(path.dirname(CACHED), { recursive: true });
  await writeFile(CACHED, bytes);
  return bytes.toString();
}

function isIt(bytes: Buffer): boolean {
  return createHash('sha256').update(bytes).digest('hex') === SHA256;
}

/** The schema's errors about a document; empty if the document is valid. */
export async function schemaErrors(schema: Schema, xml: string): Promise<string[]> {
  const { valid, errors } = await validateXML({
    // A player replaces this macro by a number, and libxml2 rejects an address with square brackets.
    xml: [{ fileName: 'vast.xml', contents: xml.replaceAll('[ERRORCODE]', '405') }],
    schema: [{ fileName: 'vast.xsd', contents: schema.text }],
  });
  return valid ? [] : errors.map(({ message }) => message);
}
