/** The kinds of settings. Each reads a value as the environment and the database have it, and writes it again. */
import { z } from 'zod';
import { centsOf, decimalOf } from '#domain/money.ts';

/** How a value is read and, without `write`, written by String. The messages end a sentence that begins with the name. */
export type Kind<Schema extends z.ZodType = z.ZodType> = {
  schema: Schema;
  write?: (value: NonNullable<z.output<Schema>>) => string;
  /** The only values. */
  choices?: readonly string[];
};

const bit = z.enum(['0', '1'], 'must be 0 or 1').transform((value) => value === '1');

/** `1` or `0`, read as true or false. */
export const flag = (fallback: boolean) =>
  ({
    schema: bit.prefault(fallback ? '1' : '0'),
    write: (value) => (value ? '1' : '0'),
  }) satisfies Kind<z.ZodType<boolean>>;

/** The same without a default. */
export const optionalFlag = { schema: bit.optional(), write: flag(false).write };

/** `on` or `off`, read as true or false. */
export const onOff = (fallback: 'on' | 'off') =>
  ({
    schema: z
      .enum(['on', 'off'], 'must be on or off')
      .default(fallback)
      .transform((value) => value === 'on'),
    write: (value) => (value ? 'on' : 'off'),
    choices: ['on', 'off'],
  }) satisfies Kind<z.ZodType<boolean>>;

/** `unit` is a noun in the plural, for the message. */
export const wholeNumber = (unit: string, least: number, most: number) => {
  const message = `must be a whole number${unit && ` of ${unit}`} from ${least} to ${most}`;
  return z.coerce.number(message).int(message).min(least, message).max(most, message);
};

/** Megabytes, read as bytes. */
export const megabytes = (fallback: number, { least }: { least: number }) => {
  const message = `must be a whole number of megabytes, at least ${least}`;
  return {
    schema: z.coerce
      .number(message)
      .int(message)
      .min(least, message)
      .max(1_000_000_000, message)
      .default(fallback)
      .transform((value) => value * 1024 ** 2),
    write: (bytes) => String(bytes / 1024 ** 2),
  } satisfies Kind<z.ZodType<number>>;
};

/** An amount such as 25.00 in the currency of the marketplace, read as cents. */
export const amount = (fallback: string, pattern: RegExp, message: string) =>
  ({
    schema: z.string().regex(pattern, message).default(fallback).transform(centsOf),
    write: decimalOf,
  }) satisfies Kind<z.ZodType<number>>;

/** One of these words. */
export const oneOf = <const Choices extends readonly [string, ...string[]]>(
  choices: Choices,
  fallback: Choices[number],
  message = `must be ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`,
) => ({ schema: z.enum(choices, message).default(fallback as never), choices }) satisfies Kind;

/** A text in one line. */
export const line = (longest: number) =>
  z
    .string()
    .trim()
    .min(1, 'must not be blank')
    .max(longest, `must have at most ${longest} characters`)
    // oxlint-disable-next-line no-control-regex -- control characters are exactly what is refused here
    .regex(/^[^\u0000-\u001f\u007f-\u009f]*$/, 'must be one line without control characters');

/**
 * Breaks the lines of a setting at `\n`, because a file of settings has one line for each. There it stands in quotes, without
 * which systemd drops the backslash. `podman run --env-file` keeps the quotes.
 */
export const linesIn = (value: string): string =>
  (/^"([^]*)"$/.exec(value.trim())?.[1] ?? value).replaceAll('\\n', '\n');

/** A text on documents, which may have several lines. */
export const documentText = (longest: number) =>
  z
    .string()
    .transform((value) => linesIn(value).trim())
    .pipe(
      z
        .string()
        .min(1, 'must not be blank')
        .max(longest, `must have at most ${longest} characters`)
        // oxlint-disable-next-line no-control-regex -- control characters are exactly what is refused here
        .regex(/^[^\u0000-\u0009\u000b-\u001f\u007f-\u009f]*$/, 'must not contain control characters'),
    );

/** Values separated by commas, as String writes them again. */
export const listOf = <Each extends z.ZodType<unknown, string>>(each: Each) =>
  z
    .string()
    .transform((list) => list.split(',').map((part) => part.trim()))
    .pipe(z.array(each));

/** The address of a server, without a path. */
export const webOrigin = z
  .url({
    protocol: /^https?$/,
    error: 'must be a full address such as https://market.example.com',
    abort: true,
  })
  .refine(
    (value) => new URL(value).pathname === '/' && !value.includes('?'),
    'must be an address without a path, such as https://market.example.com',
  )
  .transform((value) => new URL(value).origin);

/** A setting is missing or wrong. The server prints the message, which names the setting, and does not start. */
export class ConfigError extends Error {}
