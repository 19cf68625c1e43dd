/** A setting is one row. This is its form, and what is read from rows. */
import type { z } from 'zod';

export type Row = {
  /** Reads a value as it is written. The messages end a sentence that begins with the name. */
  schema: z.ZodType;
  /** Writes a value again. If absent: String. */
  write?: (value: never) => string;
  /** The name in Config. Without it, the setting is a part of something there, or means something only with others. */
  field?: string;
  /** The only values. */
  choices?: readonly string[];
  /**
   * A secret, or an address that may hold a password, is never printed, and `NAME_FILE` names a file that has it. In the
   * last kind, a name without a password is a token.
   */
  secret?: 'value' | 'address' | 'address with token';
  /** The words of the guide about the default, in Markdown. If absent: the default of the schema, or none. */
  default?: string;
  /** For the guide, in Markdown. A setting of the marketplace has its title and its help before it. */
  guide?: string;
};

type Rows = Readonly<Record<string, Row>>;

/** The values of settings by their names. */
export type Values<Of extends Rows> = z.output<z.ZodObject<Schemas<Of>>>;

type Schemas<Of extends Rows> = { [Name in keyof Of]: Of[Name]['schema'] };

export function schemasOf<Of extends Rows>(rows: Of): Schemas<Of> {
  return mapRows(rows, ({ schema }) => schema) as Schemas<Of>;
}

/** The values as Config has them. */
export type Fields<Of extends Rows, Given> = {
  [
    Name in keyof Of & keyof Given as Of[Name] extends { field: infer Field extends string } ? Field : never
  ]: Given[Name];
};

export function fieldsOf<Of extends Rows, Given extends object>(rows: Of, values: Given): Fields<Of, Given> {
  return Object.fromEntries(
    Object.entries(rows).flatMap(([name, { field }]) =>
      field === undefined ? [] : [[field, values[name as keyof Given]]],
    ),
  ) as Fields<Of, Given>;
}

/** The values as they are written; null for one without a value. */
export function textsOf<Of extends Rows>(rows: Of, values: object): Record<keyof Of, string | null> {
  return mapRows(rows, ({ write = String }, name) => {
    const value = (values as Record<string, unknown>)[name] ?? null;
    return value === null ? null : write(value as never);
  }) as Record<keyof Of, string | null>;
}

function mapRows<To>(rows: Rows, map: (row: Row, name: string) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, map(row, name)]));
}
