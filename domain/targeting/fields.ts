import { z } from 'zod';
import { COUNTRY_CODES } from '../countries.ts';
import { presentTimezone } from '../timezones.ts';
import { isLanguage } from './languages.ts';
import { excludesEverybody } from './leaves-nobody.ts';
import {
  countryOfRegion,
  DAYS,
  DEVICES,
  LIMITING_KEYS,
  type Limits,
  MAX_PATH,
  MAX_TOPIC,
  MAX_VALUES,
  VISITOR,
} from './limits.ts';

const countries = new Set(COUNTRY_CODES);

/** A list with at least one value. Without one, it would exclude everybody by accident. */
function list<Value extends z.ZodType>(value: Value, what: string) {
  return z
    .array(value, `Send a list of ${what}`)
    .min(1, `Name at least one of the ${what}, or leave the limit out`)
    .max(MAX_VALUES, `Name at most ${MAX_VALUES} ${what}`)
    .optional();
}

const COUNTRY = 'Name countries by their codes of ISO 3166-1, such as DE';
const REGION = 'Name regions by their codes of ISO 3166-2, such as US-CA';
const LANGUAGE = 'Name languages by their codes of ISO 639, such as de';
const HOUR = 'Hours are whole numbers from 0 to 24, such as from 8 to 18';
const PATH = `A path begins with / and has at most ${MAX_PATH} characters, and may end with *, such as /sport/*`;
const TOPIC = `A topic has 1 to ${MAX_TOPIC} characters and no comma`;

/** A wrong hour ends the checks: those of the whole limits make a list of the hours. */
const hour = (last: number) =>
  z
    .number(HOUR)
    .int({ error: HOUR, abort: true })
    .min(0, { error: HOUR, abort: true })
    .max(last, { error: HOUR, abort: true });

const hours = z
  .strictObject({
    from: hour(23),
    to: hour(24),
  })
  .refine(({ from, to }) => from !== to, 'An hour has to end later than it begins');

/** Paths are compared as they are in addresses, so characters that addresses cannot have are stored percent-encoded. */
const path = z
  .string(PATH)
  .regex(/^\/[^?#*\\]*\*?$/, PATH)
  .refine((text) => text.isWellFormed(), { error: PATH, abort: true })
  .overwrite((text) => text.replaceAll(/[^!-~]|["<>`{}^]/gu, encodeURIComponent))
  .max(MAX_PATH, PATH);

const limits = {
  countries: list(
    z.string(COUNTRY).refine((code) => countries.has(code), COUNTRY),
    'countries',
  ),
  regions: list(
    z
      .string(REGION)
      .regex(/^[A-Z]{2}-[A-Z0-9]{1,3}$/, REGION)
      .refine((code) => countries.has(countryOfRegion(code)), REGION),
    'regions',
  ),
  languages: list(z.string(LANGUAGE).refine(isLanguage, LANGUAGE), 'languages'),
  devices: list(z.enum(DEVICES, `Devices are ${DEVICES.join(', ')}`), 'devices'),
  days: list(z.enum(DAYS, `Days are ${DAYS.join(', ')}`), 'days'),
  hours: list(hours, 'hours'),
  timezone: z
    .string('Name a timezone, such as Europe/Berlin, or visitor')
    .refine(
      (name) => name === VISITOR || presentTimezone(name) !== null,
      'This timezone is unknown. Enter one such as Europe/Berlin',
    )
    .overwrite((name) => presentTimezone(name) ?? name)
    .optional(),
  paths: list(path, 'paths'),
  topics: list(
    z
      .string(TOPIC)
      .trim()
      .toLowerCase()
      .min(1, TOPIC)
      .max(MAX_TOPIC, TOPIC)
      .refine((topic) => topic.isWellFormed() && !/[,\p{Cc}]/u.test(topic), TOPIC),
    'topics',
  ),
};

const isLimit = (given: Limits) => LIMITING_KEYS.some((key) => given[key] !== undefined);

const targetingObject = z.strictObject({
  ...limits,
  unknownCountry: z.enum(['show', 'skip'], 'Choose show or skip for unknown countries').optional(),
});
const excludesObject = z.strictObject(limits);

/** Null, and limits without a limit: everybody. */
export const targeting = targetingObject.transform((given) => (isLimit(given) ? given : null)).nullish();

const NO_JSON = 'Send the limits as JSON, such as {"countries":["DE"]}';

/** The same as JSON in a query. */
export const targetingQuery = z
  .string(NO_JSON)
  .transform((text, ctx): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      ctx.addIssue({ code: 'custom', message: NO_JSON });
      return z.NEVER;
    }
  })
  .pipe(targeting);

/** Null: nobody is excluded. */
export const excludes = excludesObject
  .refine((given) => !excludesEverybody(given), 'This would exclude everybody. Pause the ad zone instead.')
  .transform((given) => (isLimit(given) ? given : null))
  .nullish();

/** The same in answers. */
export const shownTargeting = targetingObject.nullable();
export const shownExcludes = excludesObject.nullable();
