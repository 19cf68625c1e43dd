/** Makes replies for component tests from the schemas of the contracts, so that a test writes only what it is about. */
import { z } from 'zod';

const INSTANT = '2027-01-15T12:00:00.000Z';
const uuidOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const TEXTS = [
  INSTANT,
  INSTANT.slice(0, 10),
  INSTANT.slice(0, 7),
  uuidOf(1),
  '1.00',
  'https://site.example/',
  'ann@site.example',
  'DE',
  'US-CA',
  'en',
  '00:00',
  '/sport/*',
  'Europe/Berlin',
];
const NUMBERS = [1, 0];

/** How the members are filled that a test does not name. */
export type Filling = {
  /** The number of items of each list. */
  items: number;
  /** Whether members that may be missing are there. */
  isFull: boolean;
  /** The text of a member that may have any. */
  textOf: (name: string) => string;
};

const PLAIN: Filling = { items: 0, isFull: false, textOf: (name) => name };

/**
 * A value of the schema with these members. The others are the plainest that the schema accepts: false, null, no items, the
 * first word of a list, and the name of the member as its text. Throws if it cannot find one.
 */
export function sample<Schema extends z.ZodType>(
  schema: Schema,
  members: Partial<z.output<Schema>> = {},
): z.output<Schema> {
  return schema.parse(valueOf(schema, { name: 'text', number: 1, filling: PLAIN }, members));
}

/** The same, filled. The items of its lists have numbers and addresses of their own. */
export function filled<Schema extends z.ZodType>(
  schema: Schema,
  filling: Filling,
  members: Partial<z.output<Schema>> = {},
): z.output<Schema> {
  return schema.parse(valueOf(schema, { name: 'text', number: 1, filling }, members));
}

/** `number` is that of the item in its list, from 1. */
type Place = { name: string; number: number; filling: Filling };

function valueOf(schema: unknown, place: Place, members: Record<string, unknown> = {}): unknown {
  const { number, filling } = place;
  if (schema instanceof z.ZodObject)
    return Object.fromEntries(
      Object.entries(schema.shape as Record<string, unknown>).map(([key, member]) => [
        key,
        key in members ? members[key] : valueOf(member, { ...place, name: key }),
      ]),
    );
  const isThere = filling.isFull;
  if (schema instanceof z.ZodNullable) return isThere ? valueOf(schema.unwrap(), place) : null;
  if (schema instanceof z.ZodOptional) return isThere ? valueOf(schema.unwrap(), place) : undefined;
  if (schema instanceof z.ZodUndefined) return undefined;
  if (schema instanceof z.ZodArray)
    return Array.from({ length: filling.items }, (_, at) =>
      valueOf(schema.element, { ...place, number: at + 1 }),
    );
  if (schema instanceof z.ZodRecord) return {};
  if (schema instanceof z.ZodBoolean) return isThere;
  if (schema instanceof z.ZodEnum) return schema.options[(number - 1) % schema.options.length];
  if (schema instanceof z.ZodLiteral) return [...schema.values][0];
  if (schema instanceof z.ZodUnion) return valueOf(schema.options[0], place);
  if (schema instanceof z.ZodPipe) return valueOf(schema.in, place);
  return firstOf(schema as z.ZodType, place);
}

function firstOf(schema: z.ZodType, { name, number, filling }: Place): unknown {
  const own = number === 1 ? filling.textOf(name) : `${filling.textOf(name)} ${number}`;
  const text = name === 'publicId' ? uuidOf(number) : own;
  // An hour ends later than it begins.
  const numbers = [...(name === 'to' ? [24] : []), number, ...NUMBERS];
  const candidates =
    schema instanceof z.ZodNumber ? numbers : [text, text.slice(0, 40), uuidOf(number), ...TEXTS];
  const found = candidates.find((each) => schema.safeParse(each).success);
  if (found === undefined && !(schema instanceof z.ZodNull || schema instanceof z.ZodUnknown))
    throw new Error(`Give the sample a value for ‘${name}’: none of ours fits its schema.`);
  return found ?? null;
}
