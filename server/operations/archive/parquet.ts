/** Events as Parquet. Other programs read these files, so the names and types of the columns are a contract. */
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { parquetMetadata, parquetRead, type SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';

/** `reason`: why the event was filtered. Null: it was counted. Times are in whole milliseconds. */
export type ArchivedEvent = {
  decisionId: string;
  kind: string;
  adId: number;
  zoneId: number;
  issuedAt: Date;
  receivedAt: Date;
  reason: string | null;
};

const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const;
const number = { type: 'INT32' } as const;
const instant = {
  type: 'INT64',
  converted_type: 'TIMESTAMP_MILLIS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
} as const;

const COLUMNS = [
  { name: 'decision_id', field: 'decisionId', ...text, repetition_type: 'REQUIRED' },
  { name: 'kind', field: 'kind', ...text, repetition_type: 'REQUIRED' },
  { name: 'ad_id', field: 'adId', ...number, repetition_type: 'REQUIRED' },
  { name: 'zone_id', field: 'zoneId', ...number, repetition_type: 'REQUIRED' },
  { name: 'issued_at', field: 'issuedAt', ...instant, repetition_type: 'REQUIRED' },
  { name: 'received_at', field: 'receivedAt', ...instant, repetition_type: 'REQUIRED' },
  { name: 'reason', field: 'reason', ...text, repetition_type: 'OPTIONAL' },
] as const;

const SCHEMA: SchemaElement[] = [
  { name: 'event', num_children: COLUMNS.length },
  ...COLUMNS.map(({ field: _field, ...element }) => element),
];

/** Writes one file. Each call of `add` makes a group of rows, which readers take into memory as a whole. */
export function createPart() {
  const writer = new ByteWriter();
  const file = new ParquetWriter({
    writer,
    schema: SCHEMA,
    codec: 'ZSTD',
    compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
    createdBy: 'openslot',
  });
  return {
    add(events: readonly ArchivedEvent[]): void {
      const columnData = COLUMNS.map(({ name, field }) => ({
        name,
        data: events.map((event) => event[field]),
      }));
      // In memory, so it writes at once.
      void file.write({ columnData, rowGroupSize: events.length });
    },
    end(): Uint8Array {
      void file.finish();
      return writer.getBytes();
    },
  };
}

/** Yields the events of a file by groups of rows. Throws if the file is damaged. */
export async function* readPart(bytes: Buffer): AsyncGenerator<ArchivedEvent[]> {
  const whole = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
  const metadata = parquetMetadata(whole);
  let rowStart = 0;
  for (const { num_rows } of metadata.row_groups) {
    const rowEnd = rowStart + Number(num_rows);
    const columns = new Map<string, unknown[]>();
    await parquetRead({
      file: { byteLength: whole.byteLength, slice: (start, end) => whole.slice(start, end) },
      metadata,
      rowStart,
      rowEnd,
      compressors: { ZSTD: (compressed) => zstdDecompressSync(compressed) },
      // Not by spread, because a column of a group is too long for the arguments of a call.
      onChunk: ({ columnName, columnData }) =>
        columns.set(columnName, (columns.get(columnName) ?? []).concat(Array.from(columnData))),
    });
    yield eventsOf(columns, Number(num_rows));
    rowStart = rowEnd;
  }
}

function eventsOf(columns: ReadonlyMap<string, unknown[]>, rows: number): ArchivedEvent[] {
  const [ids, kinds, ads, zones, issued, received, reasons] = COLUMNS.map(({ name }) => {
    const column = columns.get(name);
    if (column?.length !== rows) throw new Error(`The column ${name} is not whole`);
    return column;
  }) as [string[], string[], number[], number[], Date[], Date[], (string | null)[]];
  return ids.map((decisionId, at) => ({
    decisionId,
    kind: kinds[at]!,
    adId: ads[at]!,
    zoneId: zones[at]!,
    issuedAt: issued[at]!,
    receivedAt: received[at]!,
    reason: reasons[at] ?? null,
  }));
}
