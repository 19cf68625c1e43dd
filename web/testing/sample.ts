/** Makes replies for component tests from the schemas of the contracts, so that a test writes only what it is about. */
import { z } from 'zod';

const INSTANT = '2027-01-15T12:00:00.000Z';
const UUID = '00000000-0000-4000-8000-000000000001';
const TEXTS = [
  INSTANT,
  INSTANT.slice(0, 10),
  INSTANT.slice(0, 7),
  UUID,
  '1.00',
  'https://site.example/',
  'ann@site.example',
  'DE',
];
const NUMBERS = [1, 0];

/**
 * A value of the schema with these members. The others are the plainest that the schema accepts: false, null, no items, the
 * first word of a list, and the name of the member as its text. Throws if it cannot find one.
 */
export function sample<Schema extends z.ZodType>(
  schema: Schema,
  members: Partial<z.output<Schema>> = {},
): z.output<Schema> {
  return schema.parse(plainest(schema, 'text', members));
}

function plainest(schema: unknown, name: string, members: Record<string, unknown> = {}): unknown {
  if (schema instanceof z.ZodObject)
    return Object.fromEntries(
      Object.entries(schema.shape as Record<string, unknown>).map(([key, member]) => [
        key,
        key in members ? members[key] : plainest(member, key),
      ]),
    );
  if (schema instanceof z.ZodNullable) return null;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodUndefined) return undefined;
  if (schema instanceof z.ZodArray) return [];
  if (schema instanceof z.ZodRecord) return {};
  if (schema instanceof z.ZodBoolean) return false;
  if (schema instanceof z.ZodEnum) return schema.options[0];
  if (schema instanceof z.ZodLiteral) return [...schema.values][0];
  if (schema instanceof z.ZodUnion) return plainest(schema.options[0], name);
  if (schema instanceof z.ZodPipe) return plainest(schema.in, name);
  const candidates = schema instanceof z.ZodNumber ? NUMBERS : [name, ...TEXTS];
  const found = candidates.find((each) => (schema as z.ZodType).safeParse(each).success);
  if (found === undefined && !(schema instanceof z.ZodNull || schema instanceof z.ZodUnknown))
    throw new Error(`Give the sample a value for ‘${name}’: none of ours fits its schema.`);
  return found ?? null;
}
