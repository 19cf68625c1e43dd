import {
  countryOfRegion,
  DEVICES,
  type Excludes,
  type Limits,
  type Targeting,
  timesOf,
  VISITOR,
} from './limits.ts';

/**
 * Whether a zone's exclusions leave nobody of those to whom an ad is limited. The limits are independent of each other, so
 * this is so if one of them is excluded completely.
 */
export function leavesNobody(targeting: Targeting | null, excludes: Excludes | null): boolean {
  if (targeting === null || excludes === null) return false;
  const { languages, devices, topics, paths } = targeting;
  return (
    arePlacesExcluded(targeting, excludes) ||
    areAllIn(languages, excludes.languages) ||
    areAllIn(devices, excludes.devices) ||
    areAllIn(topics, excludes.topics) ||
    (paths !== undefined && paths.every((path) => isCovered(path, excludes.paths ?? []))) ||
    areTimesExcluded(targeting, excludes)
  );
}

/** Whether exclusions keep every visitor from every ad. */
export function excludesEverybody(excludes: Excludes): boolean {
  const { days, hours } = timesOf(excludes);
  return (
    areAllIn([...DEVICES], excludes.devices) ||
    isCovered('/*', excludes.paths ?? []) ||
    days?.size === 7 ||
    hours?.size === 24
  );
}

function areAllIn(values: readonly string[] | undefined, excluded: readonly string[] | undefined): boolean {
  return values !== undefined && excluded !== undefined && values.every((value) => excluded.includes(value));
}

function arePlacesExcluded({ countries, regions, unknownCountry }: Targeting, excludes: Excludes): boolean {
  if (!(countries ?? regions) || unknownCountry === 'show') return false;
  const isCountryOut = (country: string) => excludes.countries?.includes(country) ?? false;
  const narrowed = new Set(regions?.map(countryOfRegion));
  const whole = (countries ?? []).filter((country) => !narrowed.has(country));
  return (
    whole.every(isCountryOut) &&
    (regions ?? []).every(
      (region) => isCountryOut(countryOfRegion(region)) || (excludes.regions?.includes(region) ?? false),
    )
  );
}

/** Whether a pattern of paths is part of another one. */
function isCovered(path: string, patterns: readonly string[]): boolean {
  return patterns.some(
    (pattern) => pattern === path || (pattern.endsWith('*') && path.startsWith(pattern.slice(0, -1))),
  );
}

/** Two clocks cannot be compared, so exclusions by another timezone always leave somebody. */
function areTimesExcluded(targeting: Limits, excludes: Limits): boolean {
  if ((targeting.timezone ?? VISITOR) !== (excludes.timezone ?? VISITOR)) return false;
  const wanted = timesOf(targeting);
  const out = timesOf(excludes);
  const isGone = (values: Set<number> | null, without: Set<number> | null) =>
    values !== null && without !== null && [...values].every((value) => without.has(value));
  return isGone(wanted.days, out.days) || isGone(wanted.hours, out.hours);
}
