export const TRAFFIC_LEVELS = ['high', 'medium', 'low'] as const;
export type TrafficLevel = (typeof TRAFFIC_LEVELS)[number];

/** The monthly visitors from which each level begins. [MKT-03] */
export const TRAFFIC_FLOORS: Record<TrafficLevel, number> = { high: 50_000, medium: 10_000, low: 0 };

export const TRAFFIC_LABELS: Record<TrafficLevel, string> = { high: 'High', medium: 'Medium', low: 'Low' };

export function trafficLevel(monthlyVisitors: number): TrafficLevel {
  if (monthlyVisitors >= TRAFFIC_FLOORS.high) return 'high';
  return monthlyVisitors >= TRAFFIC_FLOORS.medium ? 'medium' : 'low';
}

/** '12.5K monthly visitors', or that they are 'not stated'. Publishers may leave the figure out, which is stored as 0. */
export function visitorsText(visitors: number): string {
  return visitors === 0 ? 'monthly visitors not stated' : `${formatVisitors(visitors)} monthly visitors`;
}

/**
 * 999 -> '999', 1500 -> '1.5K', 1200000 -> '1.2M': one decimal, without '.0'. It is rounded down, so that 9,999 does not
 * read '10K' beside 'Low', which ends below 10,000. [OP-078]
 */
export function formatVisitors(visitors: number): string {
  if (visitors < 1000) return String(visitors);
  const [unit, name] = visitors >= 1_000_000 ? [1_000_000, 'M'] : [1000, 'K'];
  return `${Math.floor(visitors / (unit / 10)) / 10}${name}`;
}
