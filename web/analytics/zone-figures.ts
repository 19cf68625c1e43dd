import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dayIn } from '#domain/analytics/days.ts';
import { calls } from '#domain/calls.ts';
import { readAll } from '#web/http/query.ts';
import { addDays } from '#domain/time.ts';

type ZoneFigures = { impressions: number; amount: string };

const NONE: ZoneFigures = { impressions: 0, amount: '0.00' };

/**
 * The views and earnings of the publisher's ad zones in the last 30 days of the timezone, today included; undefined for
 * every zone until they are known. The same rows as in the breakdown of the dashboard; with `zone`, only those of one.
 */
export function useZoneFigures(
  timezone: string,
  zone?: string,
): (publicId: string) => ZoneFigures | undefined {
  const [today] = useState(() => dayIn(timezone, new Date()));
  const query = {
    side: 'seller',
    by: 'zone',
    from: addDays(today, -29),
    to: today,
    ...(zone && { zone }),
  } as const;
  const { data } = useQuery(readAll(calls.getBreakdown, { query }));
  return (publicId) => data && (data.find((row) => row.publicId === publicId) ?? NONE);
}
