import { dayStartText } from '#domain/analytics/days.ts';

type DayStartProps = { timezone: string; start: string | undefined };

/** Says when the days of a report begin if that is not midnight; nothing while it loads. */
export function DayStart({ timezone, start = '00:00' }: DayStartProps) {
  const text = dayStartText(timezone, start);
  return text !== null && <span className="block">{text}</span>;
}
