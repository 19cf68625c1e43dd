/** Limits in words, for advertisers, publishers and visitors. */
import { countryName } from '../countries.ts';
import { languageName } from './languages.ts';
import {
  countryOfRegion,
  type Day,
  type Device,
  type Hours,
  type Limits,
  type Targeting,
  VISITOR,
} from './limits.ts';

export type LimitWords = { name: string; value: string };

export const DAY_NAMES: Record<Day, string> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};
export const DEVICE_NAMES: Record<Device, string> = {
  phone: 'phones',
  tablet: 'tablets',
  desktop: 'desktop computers',
};

/** One entry for each limit, such as 'Countries' and 'Germany, Austria'. None for everybody. */
export function limitWords(limits: Targeting | null): LimitWords[] {
  if (limits === null) return [];
  const { countries, regions, languages, devices, days, hours, paths, topics, unknownCountry } = limits;
  const clock = clockText(limits);
  const entries: [string, string | undefined][] = [
    ['Countries', countries?.map(countryName).join(', ')],
    ['Regions', regions?.map((region) => `${countryName(countryOfRegion(region))} (${region})`).join(', ')],
    [
      'Unknown country',
      (countries ?? regions) && unknownCountry !== undefined
        ? unknownCountry === 'show'
          ? 'shown'
          : 'not shown'
        : undefined,
    ],
    ['Languages', languages?.map(languageName).join(', ')],
    ['Devices', devices?.map((device) => DEVICE_NAMES[device]).join(', ')],
    ['Days', days && `${days.map((day) => DAY_NAMES[day]).join(', ')} ${clock}`],
    ['Hours', hours && `${hours.map(hoursText).join(', ')} ${clock}`],
    ['Pages', paths?.join(', ')],
    ['Topics', topics?.join(', ')],
  ];
  return entries.flatMap(([name, value]) => (value === undefined ? [] : { name, value }));
}

const hoursText = ({ from, to }: Hours): string => `${from}:00 to ${to}:00`;

function clockText({ timezone = VISITOR }: Limits): string {
  return timezone === VISITOR ? '(the visitor’s time)' : `(time in ${timezone.replaceAll('_', ' ')})`;
}
