import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Response as Row, Reader } from 'mmdb-lib';
import type { Config } from '#server/platform/settings/config.ts';
import type { ListLog } from '#server/platform/outbound/list-file.ts';

/** Where an address is. `region` is a code of ISO 3166-2, such as 'US-CA'. Null: unknown. */
export type Place = { country: string | null; region: string | null };

type Settings = Pick<Config, 'countryDatabaseFile'>;

/**
 * Addresses within networks of their own are nowhere, and the shipped file places some of them. `isPublicAddress` of
 * domain/public-host.ts would take longer than the lookup.
 */
const PRIVATE = /^(?:10\.|127\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|::1$|f[cd]|fe[89ab])/i;

const UNKNOWN: Place = { country: null, region: null };

export type Countries = {
  /** Reads the database. Every country is unknown before, and after a failure, which it only logs. */
  start: () => Promise<void>;
  /** Takes about a microsecond. The address is not kept. */
  placeOf: (address: string) => Place;
};

/** Looks up in memory where addresses are, in the operator's database or else in the one that Openslot ships. [RES-21] */
export function createCountries(config: Settings, log: ListLog): Countries {
  let find: (address: string) => unknown = () => null;
  let hasFailed = false;
  return {
    start: async () => {
      try {
        find = await openCountryDatabase(config);
      } catch (error) {
        const file = config.countryDatabaseFile;
        log.warn({ err: error, file }, 'the country database cannot be read, so every country is unknown');
      }
    },
    placeOf: (address) => {
      if (PRIVATE.test(address)) return UNKNOWN;
      try {
        return placeOfRow(find(address));
      } catch (error) {
        if (!hasFailed) log.warn({ err: error }, 'an address cannot be looked up in the country database');
        hasFailed = true;
        return UNKNOWN;
      }
    },
  };
}

export const shippedFile = (): string =>
  fileURLToPath(import.meta.resolve('@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'));

/**
 * Returns how to find the row of an address in the operator's file or the shipped one, which is in the public domain (CC0)
 * and has countries only. Throws if the file is missing or no MMDB file.
 */
export async function openCountryDatabase({
  countryDatabaseFile,
}: Settings): Promise<(address: string) => unknown> {
  const reader = new Reader<Row>(await readFile(countryDatabaseFile ?? shippedFile()));
  // A file that is cut off opens, and fails where its end is missing.
  reader.get('192.0.2.1');
  return (address) => reader.get(address);
}

/** The rows of public-domain files have one field; those of MaxMind and of files in its format name more. */
function placeOfRow(row: unknown): Place {
  const {
    country_code: code,
    country,
    subdivisions,
  } = (row ?? {}) as {
    country_code?: unknown;
    country?: { iso_code?: unknown };
    subdivisions?: { iso_code?: unknown }[];
  };
  const found = code ?? country?.iso_code;
  if (typeof found !== 'string' || found === '') return UNKNOWN;
  const part = subdivisions?.[0]?.iso_code;
  return { country: found, region: typeof part === 'string' ? `${found}-${part}` : null };
}
