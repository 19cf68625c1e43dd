import { onDemand } from '#web/ui/late.tsx';

/** The results and the delivery of a paid ad, which the dashboard and the page of a campaign load when they show them. */
export const Delivered = onDemand(
  'the delivery',
  'h-96',
  async () => (await import('./delivered.tsx')).Delivered,
);
